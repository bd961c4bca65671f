package io.podledger.projections;

/// What an address is in that was ever used.
sealed interface Use extends Hashed permits LeaseEntry, Suspect, Resting {}
