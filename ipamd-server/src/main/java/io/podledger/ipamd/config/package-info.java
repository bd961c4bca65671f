@NullMarked
package io.podledger.ipamd.config;

import org.jspecify.annotations.NullMarked;
