package io.podledger.e2e;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/// The arrows of ARCHITECTURE.md, as the compiled classes show them.
class LayersTest {
    private static final String JOURNAL = "io.podledger.journal..";
    private static final String PROJECTIONS = "io.podledger.projections..";
    private static final String PROJECTIONS_BY_HAND = "io.podledger.projections";
    private static final String MESSAGES = "io.podledger.shim..";
    private static final String SERVER = "io.podledger.ipamd..";
    private static final String REPLAY = "io.podledger.replay..";

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("io.podledger");

    @Test
    void theJournalKnowsNothingOfWhatItKeeps() {
        forbid(JOURNAL, PROJECTIONS, MESSAGES, SERVER, REPLAY);
    }

    @Test
    void theProjectionsKnowNoOtherPart() {
        forbid(PROJECTIONS, JOURNAL, MESSAGES, SERVER, REPLAY);
    }

    @Test
    void theMessagesKnowNoOtherPart() {
        forbid(MESSAGES, JOURNAL, PROJECTIONS, SERVER, REPLAY);
    }

    @Test
    void theServerAndTheReplayToolKnowNothingOfEachOther() {
        forbid(SERVER, REPLAY);
        forbid(REPLAY, SERVER, MESSAGES);
    }

    @Test
    void theProjectionsDoNoInputAndNoOutput() {
        forbid(
                PROJECTIONS_BY_HAND,
                "java.io..",
                "java.nio.file..",
                "java.nio.channels..",
                "java.util.concurrent..",
                "net.openhft..",
                "org.slf4j..");
    }

    @Test
    void theProjectionsKnowNoClockAndNoChance() {
        noClasses()
                .that()
                .resideInAPackage(PROJECTIONS_BY_HAND)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Clock.class, Random.class, ThreadLocalRandom.class)
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(UUID.class, "randomUUID")
                .orShould()
                .callMethod(Math.class, "random")
                .check(CLASSES);
    }

    @Test
    void noPackagesDependOnEachOtherInACircle() {
        slices().matching("io.podledger.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    private static void forbid(String from, String... to) {
        noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(to)
                .check(CLASSES);
    }
}
