/* The plugin: takes what the runtime gives, hands it to the daemon, prints what that answers. */
#ifndef PODLEDGER_SHIM_H
#define PODLEDGER_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHIM_VERSION "0.1.0"

enum {
    STDIN_BYTES_MAX = 1000000,
    MESSAGE_BYTES_MAX = 1048576,
    SPOOLED_BYTES_MAX = 96, /* kept free in each request, so that each can be spooled */
    HEADER_BYTES = 16,
    FRAME_BYTES_MAX = HEADER_BYTES + MESSAGE_BYTES_MAX,
    FRAME_VERSION = 1,
    DESCRIPTOR_BYTE = 0x4E, /* precedes the frame and carries the namespace */
};

/* CNI error codes that the plugin gives by itself. */
enum { CNI_ENVIRONMENT = 4, CNI_IO = 5, CNI_DECODE = 6, CNI_TRY_AGAIN = 11, CNI_CANNOT_ADD = 50 };

/* Waits, in ms. */
enum {
    STDIN_MS_MAX = 10000,
    STDOUT_MS_MAX = 10000,
    DRAIN_MS_MAX = 1000, /* for stdin, once VERSION is answered */
    CONNECT_MS_MAX = 250,
    ADD_MS_MAX = 60000,
    DEL_MS_MAX = 15000,
    STATUS_MS_MAX = 2000,
    OTHER_MS_MAX = 30000,
    RESEND_MS_MAX = 10000, /* after a daemon that ended in the middle of an ADD */
    RESEND_EVERY_MS = 100,
};

struct bytes {
    const uint8_t *data;
    size_t size;
};

/* A call, as the environment and stdin have it. */
struct call {
    const char *command;
    const char *container_id;
    const char *netns;
    const char *if_name;
    const char *args;
    const char *path;
    const char *netns_override;
    struct bytes config;
    int netns_descriptor; /* the opened namespace, or /dev/null */
    bool has_netns;
    int netns_errno;
};

/* When a DEL was written down. */
struct spooled {
    char boot_id[37];
    uint64_t boottime_ms;
    uint64_t wall_ms;
};

struct response {
    uint64_t exit_code;
    struct bytes output;
    bool spool;
};

/* wire.c: frames and the messages in them. */
/* Encodes into `frame`, which holds FRAME_BYTES_MAX; 0 where the call is too large. `spooled` may
   be NULL. The configuration may lie at the end of `frame`, and lies in its place afterwards: a
   large one is in memory once. */
size_t wire_encode(struct call *call, const struct spooled *spooled, uint8_t *frame);
/* Length of the frame that begins with these HEADER_BYTES; 0 where it is none that is served. */
size_t wire_frame_bytes(const uint8_t *header);
/* Whether the whole frame holds a response; what it points to lies in the frame. */
bool wire_decode(const uint8_t *frame, size_t size, struct response *response);

/* daemon.c: the conversation. */
enum exchange {
    EXCHANGE_ANSWERED,
    EXCHANGE_ABSENT, /* nobody listens */
    EXCHANGE_ENDED, /* the stream ended before an answer */
    EXCHANGE_GARBLED,
    EXCHANGE_SILENT,
};
/* One request and its response, until `deadline_ms`. `answer` holds FRAME_BYTES_MAX. */
enum exchange daemon_ask(const char *socket_path, int descriptor, const uint8_t *frame, size_t size,
                         int64_t deadline_ms, uint8_t *answer, struct response *response);

/* spool.c: DELs for later. */
/* Writes the call durably: 0, or an errno, with the path concerned in `*where`. */
int spool_write(const char *folder, struct call *call, uint8_t *frame, const char **where);

/* output.c: what the runtime reads. */
bool write_all(int descriptor, const void *data, size_t size);
/* Writes all of it to stdout; false where nobody takes it. */
bool print_all(const void *data, size_t size);
/* Prints a CNI error; returns the exit status 1. */
int print_error(int code, const char *message, const char *details);

/* clock.c */
/* CLOCK_MONOTONIC in ms. */
int64_t now_ms(void);
/* ms from now until `deadline_ms`, 0 where it has passed, for poll. */
int left_ms(int64_t deadline_ms);
void sleep_ms(int ms);
/* Whether one of `events`, an end or an error came before the deadline. */
bool wait_for(int descriptor, short events, int64_t deadline_ms);

#endif
