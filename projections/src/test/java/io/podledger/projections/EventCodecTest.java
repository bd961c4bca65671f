package io.podledger.projections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventCodecTest {
    static List<Event> events() {
        return Samples.events();
    }

    @ParameterizedTest
    @MethodSource("events")
    void whatIsEncodedIsDecodedAsItWas(Event event) {
        byte[] bytes = EventCodec.encode(event);

        assertThat(EventCodec.decode(EventCodec.type(event), bytes)).isEqualTo(event);
    }

    @Test
    void everyKindOfEventHasASampleAndATypeOfItsOwn() {
        Set<Class<?>> kinds = Set.of(Event.class.getPermittedSubclasses());
        Set<Class<?>> sampled = events().stream().map(Event::getClass).collect(Collectors.toSet());
        Set<Integer> types = events().stream().map(EventCodec::type).collect(Collectors.toSet());

        assertThat(sampled).isEqualTo(kinds);
        assertThat(types).hasSameSizeAs(kinds);
    }

    /// What stands in the logs of today must be read for ever: these lines only ever get more.
    @Test
    void theBytesOfTodayStayReadable() {
        List<String> lines = new ArrayList<>();
        for (Event event : events()) {
            String hex = HexFormat.of().formatHex(EventCodec.encode(event));
            lines.add(EventCodec.type(event) + " " + hex);
        }

        assertThat(lines).isEqualTo(golden());
        for (int i = 0; i < lines.size(); i++) {
            String[] parts = golden().get(i).split(" ", 2);
            Event event =
                    EventCodec.decode(
                            Integer.parseInt(parts[0]), HexFormat.of().parseHex(parts[1]));
            assertThat(event).isEqualTo(events().get(i));
        }
    }

    private static List<String> golden() {
        try (InputStream in = EventCodecTest.class.getResourceAsStream("events.hex")) {
            return in == null
                    ? List.of()
                    : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void fieldsOfALaterVersionArePassedOver() {
        Event event = events().getFirst();
        byte[] bytes = EventCodec.encode(event);
        byte[] later = Arrays.copyOf(bytes, bytes.length + 3);
        later[bytes.length] = (byte) 0xa0; // field 100, a varint, 7
        later[bytes.length + 1] = 0x06;
        later[bytes.length + 2] = 0x07;

        assertThat(EventCodec.decode(EventCodec.type(event), later)).isEqualTo(event);
    }

    @Test
    void anUnknownTypeIsRefusedUnlessItSaysThatItMayBePassedOver() {
        assertThatThrownBy(() -> EventCodec.decode(47, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("type 47")
                .hasMessageContaining("the version that wrote them");
        assertThat(EventCodec.ignorable(47)).isFalse();
        assertThat(EventCodec.ignorable(0x8000 | 47)).isTrue();
        assertThat(events()).noneMatch(event -> EventCodec.ignorable(EventCodec.type(event)));
    }

    @Test
    void anEventThatIsTooLargeIsRefused() {
        Event event = new Event.DaemonStopped("x".repeat(EventCodec.EVENT_BYTES_MAX));

        assertThatThrownBy(() -> EventCodec.encode(event))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 16384");
    }

    @Test
    void theLargestAddThatCanBeAskedForFits() {
        String wide = "\u20ac".repeat(Texts.NAME_BYTES_MAX / 3);
        Pod pod = new Pod(wide, wide, wide);
        Attachment attachment =
                new Attachment(
                        "n".repeat(Texts.NAME_BYTES_MAX),
                        "c".repeat(Texts.NAME_BYTES_MAX),
                        "i".repeat(15));
        Command.Add add =
                new Command.Add(
                        attachment,
                        Optional.of(pod),
                        true,
                        Mode.ROUTED,
                        World.namespace(1),
                        "p".repeat(Texts.PATH_BYTES_MAX),
                        "d".repeat(15),
                        1_500);
        World world = World.of("10.0.0.0/30", "fd00::/64");

        world.when(add);

        assertThat(world.ledger.attachments()).isEqualTo(1);
        assertThat(Ledger.restore(world.ledger.snapshot()).hash()).isEqualTo(world.ledger.hash());
    }

    @Test
    void aReleaseDoesNotRepeatThePod() {
        int wired = EventCodec.encode(new Event.Wired(World.attachment("c".repeat(64)))).length;

        assertThat(wired).isLessThan(64 + 20);
    }

    /// Whatever the bytes are: an event, or one kind of exception that says what is wrong.
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void damagedBytesAreAnEventOrAClearError(long seed) {
        Random random = new Random(seed);
        Set<String> errors = new HashSet<>();
        for (int round = 0; round < 3_000; round++) {
            Event event = events().get(random.nextInt(events().size()));
            byte[] bytes = damaged(EventCodec.encode(event), random);
            try {
                Event decoded = EventCodec.decode(EventCodec.type(event), bytes);
                assertThat(EventCodec.decode(EventCodec.type(decoded), EventCodec.encode(decoded)))
                        .isEqualTo(decoded);
            } catch (IllegalArgumentException e) {
                errors.add(String.valueOf(e.getMessage()));
            }
        }
        assertThat(errors).hasSizeGreaterThan(3).noneMatch(String::isBlank);
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            case 1 -> {
                byte[] noise = new byte[random.nextInt(40)];
                random.nextBytes(noise);
                yield noise;
            }
            default -> {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                yield bytes;
            }
        };
    }
}
