#define _POSIX_C_SOURCE 200809L
#include "shim.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ERROR_BYTES_MAX = 4096 };

bool write_all(int descriptor, const void *data, size_t size) {
    const uint8_t *next = data;
    while (size > 0) {
        ssize_t written = write(descriptor, next, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        next += written;
        size -= (size_t)written;
    }
    return true;
}

/* In pieces of PIPE_BUF: a pipe that is ready takes one without making the writer wait. */
bool print_all(const void *data, size_t size) {
    int64_t deadline = now_ms() + STDOUT_MS_MAX;
    size_t piece;
    for (size_t done = 0; done < size; done += piece) {
        piece = size - done < PIPE_BUF ? size - done : PIPE_BUF;
        if (!wait_for(STDOUT_FILENO, POLLOUT, deadline) ||
            !write_all(STDOUT_FILENO, (const uint8_t *)data + done, piece)) {
            return false;
        }
    }
    return true;
}

/* Appends `text` as the inside of a JSON string, cut where there is no room. Bytes above 0x7E
   become '?': a path may hold bytes that are no UTF-8. */
static size_t append_escaped(char *out, size_t at, const char *text) {
    for (; *text != '\0' && at + 8 < ERROR_BYTES_MAX; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            out[at++] = '\\';
            out[at++] = (char)c;
        } else if (c < 0x20) {
            at += (size_t)snprintf(out + at, 7, "\\u%04x", c);
        } else {
            out[at++] = c < 0x7F ? (char)c : '?';
        }
    }
    return at;
}

static size_t append(char *out, size_t at, const char *text) {
    size_t size = strlen(text);
    memcpy(out + at, text, size);
    return at + size;
}

int print_error(int code, const char *message, const char *details) {
    char out[ERROR_BYTES_MAX + 64];
    size_t at = (size_t)snprintf(out, 64, "{\"cniVersion\":\"1.0.0\",\"code\":%d,\"msg\":\"", code);
    at = append_escaped(out, at, message);
    at = append(out, at, "\",\"details\":\"");
    at = append_escaped(out, at, details);
    at = append(out, at, "\"}\n");
    print_all(out, at);
    return 1;
}
