#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A connected socket, or -1. A full backlog is waited for: connect says EAGAIN there, at once. */
static int connect_to(const char *socket_path, int64_t deadline_ms) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(socket_path) >= sizeof address.sun_path) {
        return -1;
    }
    strcpy(address.sun_path, socket_path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    while (descriptor >= 0 &&
           connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        if ((errno != EAGAIN && errno != EINTR) || left_ms(deadline_ms) == 0) {
            close(descriptor);
            return -1;
        }
        sleep_ms(1);
    }
    return descriptor;
}

/* Sends the byte that carries the descriptor together with as much of the frame as goes. */
static ssize_t send_first(int to, int descriptor, const uint8_t *frame, size_t size) {
    uint8_t first = DESCRIPTOR_BYTE;
    struct iovec parts[2] = {{&first, 1}, {(void *)(uintptr_t)frame, size}};
    union {
        char space[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    struct msghdr message = {.msg_iov = parts,
                             .msg_iovlen = 2,
                             .msg_control = control.space,
                             .msg_controllen = sizeof control.space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return sendmsg(to, &message, MSG_NOSIGNAL);
}

enum sending { SENT, SEND_SILENT, SEND_BROKEN };

static enum sending send_all(int to, int descriptor, const uint8_t *frame, size_t size,
                             int64_t deadline_ms) {
    bool first = true;
    size_t sent = 0;
    while (sent < size || first) {
        ssize_t now = first ? send_first(to, descriptor, frame, size)
                            : send(to, frame + sent, size - sent, MSG_NOSIGNAL);
        if (now > 0) {
            sent += (size_t)now - (first ? 1 : 0);
            first = false;
        } else if (errno == EAGAIN) {
            if (left_ms(deadline_ms) == 0 || !wait_for(to, POLLOUT, deadline_ms)) {
                return SEND_SILENT;
            }
        } else if (errno != EINTR) {
            return SEND_BROKEN;
        }
    }
    return SENT;
}

static enum exchange receive(int from, int64_t deadline_ms, uint8_t *answer,
                             struct response *response) {
    size_t size = 0;
    size_t whole = HEADER_BYTES;
    while (size < whole) {
        if (!wait_for(from, POLLIN, deadline_ms)) {
            return EXCHANGE_SILENT;
        }
        ssize_t now = recv(from, answer + size, whole - size, 0);
        if (now == 0 || (now < 0 && errno != EAGAIN && errno != EINTR)) {
            return EXCHANGE_ENDED;
        }
        size += now > 0 ? (size_t)now : 0;
        if (size == HEADER_BYTES && whole == HEADER_BYTES) {
            whole = wire_frame_bytes(answer);
            if (whole == 0) {
                return EXCHANGE_GARBLED;
            }
        }
    }
    return wire_decode(answer, size, response) ? EXCHANGE_ANSWERED : EXCHANGE_GARBLED;
}

enum exchange daemon_ask(const char *socket_path, int descriptor, const uint8_t *frame, size_t size,
                         int64_t deadline_ms, uint8_t *answer, struct response *response) {
    int64_t connect_until = now_ms() + CONNECT_MS_MAX;
    int daemon = connect_to(socket_path, connect_until < deadline_ms ? connect_until : deadline_ms);
    if (daemon < 0) {
        return EXCHANGE_ABSENT;
    }
    enum sending sending = send_all(daemon, descriptor, frame, size, deadline_ms);
    enum exchange outcome = EXCHANGE_SILENT;
    if (sending != SEND_SILENT) {
        /* A daemon that closed early may have answered before: that waits in the socket already. */
        outcome = receive(daemon, sending == SENT ? deadline_ms : 0, answer, response);
    }
    if (sending == SEND_BROKEN && outcome == EXCHANGE_SILENT) {
        outcome = EXCHANGE_ENDED;
    }
    close(daemon);
    return outcome;
}
