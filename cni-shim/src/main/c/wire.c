#include "shim.h"

#include <string.h>

/* Field numbers of cni.proto. */
enum {
    REQUEST_COMMAND = 1,
    REQUEST_CONTAINER_ID = 2,
    REQUEST_NETNS = 3,
    REQUEST_IF_NAME = 4,
    REQUEST_ARGS = 5,
    REQUEST_PATH = 6,
    REQUEST_NETNS_OVERRIDE = 7,
    REQUEST_CONFIG = 8,
    REQUEST_HAS_NETNS = 9,
    REQUEST_NETNS_ERRNO = 10,
    REQUEST_SPOOLED = 11,
    SPOOLED_BOOT_ID = 1,
    SPOOLED_BOOTTIME_MS = 2,
    SPOOLED_WALL_MS = 3,
    RESPONSE_EXIT_CODE = 1,
    RESPONSE_STDOUT = 2,
    RESPONSE_SPOOL = 3,
};

/* Wire types of protobuf. */
enum { VARINT = 0, FIXED64 = 1, LENGTH_DELIMITED = 2, FIXED32 = 5 };

static const uint8_t MAGIC[4] = {'P', 'D', 'L', 'G'};

/* CRC-32C (Castagnoli), bit by bit: frames are small. */
static uint32_t crc32c(const uint8_t *data, size_t size) {
    uint32_t table[256];
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++) {
            value = (value & 1) != 0 ? (value >> 1) ^ 0x82F63B78u : value >> 1;
        }
        table[i] = value;
    }
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++) {
        crc = table[(crc ^ data[i]) & 0xFF] ^ (crc >> 8);
    }
    return crc ^ 0xFFFFFFFFu;
}

static void put_u32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

static uint32_t get_u32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Where a message is being written; `full` once something did not fit. */
struct sink {
    uint8_t *data;
    size_t size;
    size_t limit;
    bool full;
};

static void put_varint(struct sink *sink, uint64_t value) {
    do {
        if (sink->size == sink->limit) {
            sink->full = true;
            return;
        }
        sink->data[sink->size++] = (uint8_t)((value & 0x7F) | (value > 0x7F ? 0x80 : 0));
        value >>= 7;
    } while (value != 0);
}

/* Zero is protobuf's default and is left out. */
static void put_number(struct sink *sink, int field, uint64_t value) {
    if (value != 0) {
        put_varint(sink, (uint64_t)field << 3 | VARINT);
        put_varint(sink, value);
    }
}

static void put_bytes(struct sink *sink, int field, const void *data, size_t size) {
    if (size == 0) {
        return;
    }
    put_varint(sink, (uint64_t)field << 3 | LENGTH_DELIMITED);
    put_varint(sink, size);
    if (sink->full || size > sink->limit - sink->size) {
        sink->full = true;
        return;
    }
    memmove(sink->data + sink->size, data, size);
    sink->size += size;
}

static void put_text(struct sink *sink, int field, const char *text) {
    put_bytes(sink, field, text, strlen(text));
}

static void put_spooled(struct sink *sink, const struct spooled *spooled) {
    uint8_t data[SPOOLED_BYTES_MAX - 2];
    struct sink inner = {data, 0, sizeof data, false};
    put_text(&inner, SPOOLED_BOOT_ID, spooled->boot_id);
    put_number(&inner, SPOOLED_BOOTTIME_MS, spooled->boottime_ms);
    put_number(&inner, SPOOLED_WALL_MS, spooled->wall_ms);
    put_bytes(sink, REQUEST_SPOOLED, data, inner.size);
}

size_t wire_encode(struct call *call, const struct spooled *spooled, uint8_t *frame) {
    size_t limit = MESSAGE_BYTES_MAX - (spooled == NULL ? SPOOLED_BYTES_MAX : 0);
    struct sink sink = {frame + HEADER_BYTES, 0, limit, false};
    put_text(&sink, REQUEST_COMMAND, call->command);
    put_text(&sink, REQUEST_CONTAINER_ID, call->container_id);
    put_text(&sink, REQUEST_NETNS, call->netns);
    put_text(&sink, REQUEST_IF_NAME, call->if_name);
    put_text(&sink, REQUEST_ARGS, call->args);
    put_text(&sink, REQUEST_PATH, call->path);
    put_text(&sink, REQUEST_NETNS_OVERRIDE, call->netns_override);
    put_bytes(&sink, REQUEST_CONFIG, call->config.data, call->config.size);
    const uint8_t *config_end = sink.data + sink.size;
    put_number(&sink, REQUEST_HAS_NETNS, call->has_netns ? 1 : 0);
    put_number(&sink, REQUEST_NETNS_ERRNO, (uint64_t)call->netns_errno);
    if (spooled != NULL) {
        put_spooled(&sink, spooled);
    }
    if (sink.full) {
        return 0;
    }
    call->config.data = config_end - call->config.size;
    memcpy(frame, MAGIC, sizeof MAGIC);
    frame[4] = FRAME_VERSION;
    frame[5] = frame[6] = frame[7] = 0;
    put_u32(frame + 8, (uint32_t)sink.size);
    put_u32(frame + 12, crc32c(sink.data, sink.size));
    return HEADER_BYTES + sink.size;
}

size_t wire_frame_bytes(const uint8_t *header) {
    int version = header[4] | header[5] << 8;
    uint32_t length = get_u32(header + 8);
    bool served = version >= FRAME_VERSION - 1 && version <= FRAME_VERSION + 1;
    if (memcmp(header, MAGIC, sizeof MAGIC) != 0 || !served || length > MESSAGE_BYTES_MAX) {
        return 0;
    }
    return HEADER_BYTES + (size_t)length;
}

/* What is left of a message that is being read. */
struct source {
    const uint8_t *data;
    size_t size;
};

static bool get_varint(struct source *source, uint64_t *value) {
    *value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (source->size == 0) {
            return false;
        }
        uint8_t byte = *source->data++;
        source->size--;
        *value |= (uint64_t)(byte & 0x7F) << shift;
        if ((byte & 0x80) == 0) {
            return true;
        }
    }
    return false;
}

static bool skip(struct source *source, size_t size) {
    if (size > source->size) {
        return false;
    }
    source->data += size;
    source->size -= size;
    return true;
}

static bool get_field(struct source *source, struct response *response) {
    uint64_t tag;
    uint64_t value = 0;
    if (!get_varint(source, &tag)) {
        return false;
    }
    switch (tag & 7) {
    case VARINT:
        if (!get_varint(source, &value)) {
            return false;
        }
        if (tag >> 3 == RESPONSE_EXIT_CODE) {
            response->exit_code = value;
        } else if (tag >> 3 == RESPONSE_SPOOL) {
            response->spool = value != 0;
        }
        return true;
    case LENGTH_DELIMITED:
        if (!get_varint(source, &value) || value > source->size) {
            return false;
        }
        if (tag >> 3 == RESPONSE_STDOUT) {
            response->output = (struct bytes){source->data, (size_t)value};
        }
        return skip(source, (size_t)value);
    case FIXED64:
        return skip(source, 8);
    case FIXED32:
        return skip(source, 4);
    default:
        return false;
    }
}

bool wire_decode(const uint8_t *frame, size_t size, struct response *response) {
    struct source source = {frame + HEADER_BYTES, size - HEADER_BYTES};
    if (crc32c(source.data, source.size) != get_u32(frame + 12)) {
        return false;
    }
    *response = (struct response){0, {source.data, 0}, false};
    while (source.size > 0) {
        if (!get_field(&source, response)) {
            return false;
        }
    }
    return true;
}
