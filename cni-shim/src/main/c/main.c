#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char VERSIONS[] =
    "{\"cniVersion\":\"1.1.0\",\"supportedVersions\":[\"0.3.1\",\"0.4.0\",\"1.0.0\",\"1.1.0\"]}\n";

static const char ABOUT[] = "podledger CNI plugin " SHIM_VERSION "\n";
static const char USE[] = "podledger is a CNI plugin: a container runtime calls it\n";

/* How long the `ready` file speaks for a daemon that is away, in s. */
enum { READY_SECONDS = 120 };

/* The frame; before that, stdin. */
static uint8_t request[FRAME_BYTES_MAX];
static uint8_t answer[FRAME_BYTES_MAX];

static const char *variable(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : otherwise;
}

static bool is(const struct call *call, const char *command) {
    return strcmp(call->command, command) == 0;
}

/* Why stdin is refused. */
enum { STDIN_TOO_LARGE = -1, STDIN_TOO_SLOW = -2, STDIN_BROKEN = -3 };

/* Reads all of stdin into `request`: its size, or why not. A stdin that is closed, or a folder, is
   empty. */
static ssize_t read_stdin(int64_t deadline) {
    size_t size = 0;
    while (size <= STDIN_BYTES_MAX) {
        struct pollfd in = {STDIN_FILENO, POLLIN, 0};
        int left = left_ms(deadline);
        int ready = poll(&in, 1, left);
        if (left == 0 || ready == 0 || (ready < 0 && errno != EINTR)) {
            return STDIN_TOO_SLOW;
        }
        ssize_t now =
            ready > 0 ? read(STDIN_FILENO, request + size, STDIN_BYTES_MAX + 1 - size) : -1;
        if (now > 0) {
            size += (size_t)now;
        } else if (now == 0 || errno == EBADF || errno == EISDIR) {
            return (ssize_t)size;
        } else if (errno != EINTR && errno != EAGAIN) {
            return STDIN_BROKEN;
        }
    }
    return STDIN_TOO_LARGE;
}

static int refuse_stdin(ssize_t why) {
    static const char MEANT[] = "stdin holds the network configuration as one JSON object";
    switch (why) {
    case STDIN_TOO_LARGE:
        return print_error(CNI_DECODE, "the configuration on stdin has more than 1000000 bytes",
                           MEANT);
    case STDIN_TOO_SLOW:
        return print_error(CNI_DECODE, "stdin did not end within 10 s", MEANT);
    default:
        return print_error(CNI_IO, "stdin cannot be read to its end", strerror(errno));
    }
}

static void open_namespace(struct call *call) {
    call->netns_descriptor = -1;
    if (call->netns[0] != '\0') {
        call->netns_descriptor = open(call->netns, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        call->has_netns = call->netns_descriptor >= 0;
        call->netns_errno = call->has_netns ? 0 : errno;
    }
    if (call->netns_descriptor < 0) {
        call->netns_descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
}

static int64_t patience_ms(const struct call *call) {
    return is(call, "ADD")      ? ADD_MS_MAX
           : is(call, "DEL")    ? DEL_MS_MAX
           : is(call, "STATUS") ? STATUS_MS_MAX
                                : OTHER_MS_MAX;
}

static bool ready_lately(const char *socket_path) {
    char path[4096];
    struct stat status;
    const char *slash = strrchr(socket_path, '/');
    int folder = slash == NULL ? 0 : (int)(slash - socket_path) + 1;
    if (snprintf(path, sizeof path, "%.*sready", folder, socket_path) >= (int)sizeof path) {
        return false;
    }
    if (stat(path, &status) != 0) {
        return false;
    }
    /* A file from the future says that the clock was set back, and nothing about the daemon. */
    int64_t age = time(NULL) - status.st_mtime;
    return age < READY_SECONDS && age > -READY_SECONDS;
}

static int spool(struct call *call) {
    const char *where = "";
    const char *folder = variable("PODLEDGER_SPOOL", "/var/lib/podledger/spool");
    int failed = spool_write(folder, call, request, &where);
    if (failed == 0) {
        return 0;
    }
    char message[512];
    snprintf(message, sizeof message,
             "the daemon does not take this DEL, and it cannot be kept in %.300s: %s", where,
             strerror(failed));
    return print_error(CNI_TRY_AGAIN, message,
                       "start the daemon, or make the spool folder writable");
}

static int unanswered(struct call *call, const char *socket_path, enum exchange outcome) {
    static const char *const WHY[] = {[EXCHANGE_ABSENT] = "does not listen on",
                                      [EXCHANGE_ENDED] = "ended the call on",
                                      [EXCHANGE_GARBLED] = "answered with something else on",
                                      [EXCHANGE_SILENT] = "did not answer in time on"};
    char message[512];
    if (is(call, "DEL")) {
        return spool(call);
    }
    if (is(call, "STATUS") && outcome != EXCHANGE_GARBLED && ready_lately(socket_path)) {
        return 0;
    }
    snprintf(message, sizeof message, "the podledger daemon %s %.300s", WHY[outcome], socket_path);
    return print_error(is(call, "STATUS") ? CNI_CANNOT_ADD : CNI_TRY_AGAIN, message,
                       "see that the daemon runs; PODLEDGER_SOCKET names its socket, in at most "
                       "107 bytes");
}

/* Asks, and in an ADD asks again while a daemon that ended comes back: the same ADD gets the same
   addresses, and the namespace is still open here, where a restarted daemon could not get it. */
static enum exchange ask(struct call *call, const char *socket_path, size_t size,
                         struct response *response) {
    int64_t deadline = now_ms() + patience_ms(call);
    enum exchange outcome =
        daemon_ask(socket_path, call->netns_descriptor, request, size, deadline, answer, response);
    int64_t resend_until = now_ms() + RESEND_MS_MAX;
    bool resend = is(call, "ADD") && outcome == EXCHANGE_ENDED;
    while (resend && (outcome == EXCHANGE_ENDED || outcome == EXCHANGE_ABSENT) &&
           left_ms(resend_until) > 0 && left_ms(deadline) > 0) {
        sleep_ms(RESEND_EVERY_MS);
        outcome = daemon_ask(socket_path, call->netns_descriptor, request, size, deadline, answer,
                             response);
    }
    return outcome;
}

static int serve(struct call *call) {
    const char *socket_path = variable("PODLEDGER_SOCKET", "/run/podledger/cni.sock");
    ssize_t size = read_stdin(now_ms() + STDIN_MS_MAX);
    if (size < 0) {
        return refuse_stdin(size);
    }
    uint8_t *end = request + sizeof request;
    call->config = (struct bytes){memmove(end - size, request, (size_t)size), (size_t)size};
    open_namespace(call);
    if (call->netns_descriptor < 0) {
        return is(call, "DEL") ? spool(call)
                               : print_error(CNI_IO, "/dev/null cannot be opened", strerror(errno));
    }
    size_t frame = wire_encode(call, NULL, request);
    if (frame == 0) {
        return print_error(CNI_ENVIRONMENT,
                           "stdin and the CNI_ variables are together longer than 1048480 bytes",
                           "the CNI_ variables hold names and paths");
    }
    struct response response;
    enum exchange outcome = ask(call, socket_path, frame, &response);
    if (outcome != EXCHANGE_ANSWERED) {
        return unanswered(call, socket_path, outcome);
    }
    if (response.spool) {
        return unanswered(call, socket_path, EXCHANGE_GARBLED);
    }
    bool printed = print_all(response.output.data, response.output.size);
    return response.exit_code == 0 && printed ? 0 : 1;
}

int main(int argc, char **argv) {
    /* A pipe without a reader and a limit on the size of files are errors to be told. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        return print_all(ABOUT, sizeof ABOUT - 1) ? 0 : 1;
    }
    struct call call = {.command = variable("CNI_COMMAND", ""),
                        .container_id = variable("CNI_CONTAINERID", ""),
                        .netns = variable("CNI_NETNS", ""),
                        .if_name = variable("CNI_IFNAME", ""),
                        .args = variable("CNI_ARGS", ""),
                        .path = variable("CNI_PATH", ""),
                        .netns_override = variable("CNI_NETNS_OVERRIDE", "")};
    if (call.command[0] == '\0') {
        write_all(STDERR_FILENO, USE, sizeof USE - 1);
        return print_error(CNI_ENVIRONMENT, "CNI_COMMAND is missing",
                           "the runtime sets it to ADD, DEL, ...");
    }
    if (is(&call, "VERSION")) {
        bool printed = print_all(VERSIONS, sizeof VERSIONS - 1);
        /* Who still writes to stdin sees no broken pipe. */
        read_stdin(now_ms() + DRAIN_MS_MAX);
        return printed ? 0 : 1;
    }
    return serve(&call);
}
