/* Callers of the daemon's socket that ask for addresses only, as another plugin's `ipam` section.

   callers one WARM COUNT FILE ECHO SOCKET [SOCKET]
       one caller; in every turn also the floors: an echo over a socket, and a durable write.
       Samples are ns.
   callers many CALLERS SECONDS SOCKET
       so many at once, each with one request after the other. One sample: answers in a second.
   callers echoes CALLERS SECONDS ECHO
       the same with nobody but an echo behind the socket.
   callers fill COUNT SOCKET
       takes so many addresses and keeps them. */
#define _GNU_SOURCE
#include "../../../../cni-shim/src/main/c/shim.h"
#include "bench.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { ECHO_BYTES = 400, CALLERS_MAX = 256, PATIENCE_MS = 10000 };

static const char CONFIG[] = "{\"cniVersion\":\"1.0.0\",\"name\":\"net\",\"type\":\"bridge\",\"bridge\":\"br0\","
                             "\"ipam\":{\"type\":\"podledger\"}}";

static int namespace;

/* One caller's buffers. */
struct caller {
    uint8_t request[FRAME_BYTES_MAX];
    uint8_t answer[FRAME_BYTES_MAX];
};

static void ask(struct caller *caller, const char *command, int number, int turn, const char *socket_path) {
    char container[96];
    char args[256];
    snprintf(container, sizeof container, "%08d-%08d-%046d", (int)getpid(), number, turn);
    snprintf(args, sizeof args, "IgnoreUnknown=1;K8S_POD_NAMESPACE=default;K8S_POD_NAME=web-%d-%d", number, turn);
    struct call call = {.command = command,
                        .container_id = container,
                        .netns = "/run/netns/pod",
                        .if_name = "eth0",
                        .args = args,
                        .path = "/opt/cni/bin",
                        .netns_override = "",
                        .config = {(const uint8_t *)CONFIG, sizeof CONFIG - 1},
                        .netns_descriptor = namespace,
                        .has_netns = true};
    struct response response;
    size_t size = wire_encode(&call, NULL, caller->request);
    enum exchange outcome = daemon_ask(socket_path, namespace, caller->request, size, now_ms() + PATIENCE_MS,
                                       caller->answer, &response);
    if (outcome != EXCHANGE_ANSWERED || response.exit_code != 0 || response.spool) {
        fprintf(stderr, "benchmark: %s on %s was not served: %.*s\n", command, socket_path,
                outcome == EXCHANGE_ANSWERED ? (int)response.output.size : 0, (const char *)response.output.data);
        exit(1);
    }
}

static int echo_socket(const char *path, struct sockaddr_un *address) {
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    strncpy(address->sun_path, path, sizeof address->sun_path - 1);
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

/* A process that gives back what it gets, one request a connection. It ends with its parent. */
static void start_echo(const char *path) {
    struct sockaddr_un address;
    int listening = echo_socket(path, &address);
    unlink(path);
    if (bind(listening, (struct sockaddr *)&address, sizeof address) != 0 || listen(listening, CALLERS_MAX) != 0) {
        fail(path);
    }
    if (fork() != 0) {
        close(listening);
        return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    char data[ECHO_BYTES];
    for (;;) {
        int connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
        ssize_t size = read(connection, data, sizeof data);
        if (size != sizeof data || write(connection, data, sizeof data) != size) {
            _exit(1);
        }
        close(connection);
    }
}

static void echo(const char *path) {
    struct sockaddr_un address;
    char data[ECHO_BYTES] = {0};
    int connection = echo_socket(path, &address);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0 ||
        write(connection, data, sizeof data) != sizeof data || read(connection, data, sizeof data) != sizeof data) {
        fail("echo");
    }
    close(connection);
}

static void one(int warm, int count, int file, const char *echo_path, char **sockets, int daemons) {
    static struct caller caller;
    static const char *const NAMES[2][2] = {{"add.0", "del.0"}, {"add.1", "del.1"}};
    for (int turn = 0; turn < warm + count; turn++) {
        int64_t at[4][2];
        int64_t start = now_ns();
        echo(echo_path);
        int64_t echoed = now_ns();
        write_durably(file, turn);
        int64_t written = now_ns();
        for (int i = 0; i < daemons; i++) {
            /* Whoever is asked first has the same chance of a quiet disk. */
            int daemon = (i + turn) % daemons;
            at[2 * daemon][0] = now_ns();
            ask(&caller, "ADD", daemon, turn, sockets[daemon]);
            at[2 * daemon][1] = at[2 * daemon + 1][0] = now_ns();
            ask(&caller, "DEL", daemon, turn, sockets[daemon]);
            at[2 * daemon + 1][1] = now_ns();
        }
        if (turn >= warm) {
            sample("echo", echoed - start);
            sample("sync", written - echoed);
            for (int i = 0; i < 2 * daemons; i++) {
                sample(NAMES[i / 2][i % 2], at[i][1] - at[i][0]);
            }
        }
    }
}

static const char *many_socket;
static int64_t many_until;
static atomic_long answers;

static void *ask_often(void *number) {
    struct caller *caller = calloc(1, sizeof *caller);
    for (int turn = 0; now_ns() < many_until; turn++) {
        ask(caller, "ADD", (int)(intptr_t)number, turn, many_socket);
        ask(caller, "DEL", (int)(intptr_t)number, turn, many_socket);
        atomic_fetch_add(&answers, 2);
    }
    free(caller);
    return NULL;
}

static void *echo_often(void *number) {
    (void)number;
    while (now_ns() < many_until) {
        echo(many_socket);
        atomic_fetch_add(&answers, 1);
    }
    return NULL;
}

static void many(int callers, int seconds, const char *socket_path, void *(*often)(void *)) {
    pthread_t threads[CALLERS_MAX];
    many_socket = socket_path;
    int64_t start = now_ns();
    many_until = start + (int64_t)seconds * 1000000000;
    for (int i = 0; i < callers; i++) {
        if (pthread_create(&threads[i], NULL, often, (void *)(intptr_t)i) != 0) {
            fail("start a caller");
        }
    }
    for (int i = 0; i < callers; i++) {
        pthread_join(threads[i], NULL);
    }
    sample("answers-per-second", (int64_t)((double)answers * 1e9 / (double)(now_ns() - start)));
}

int main(int argc, char **argv) {
    namespace = new_namespace(own_namespace());
    if (argc >= 7 && argc <= 8 && strcmp(argv[1], "one") == 0) {
        start_echo(argv[5]);
        one(atoi(argv[2]), atoi(argv[3]), open_preallocated(argv[4]), argv[5], argv + 6, argc - 6);
    } else if (argc == 5 && strcmp(argv[1], "many") == 0 && atoi(argv[2]) <= CALLERS_MAX) {
        many(atoi(argv[2]), atoi(argv[3]), argv[4], ask_often);
    } else if (argc == 5 && strcmp(argv[1], "echoes") == 0 && atoi(argv[2]) <= CALLERS_MAX) {
        start_echo(argv[4]);
        many(atoi(argv[2]), atoi(argv[3]), argv[4], echo_often);
    } else if (argc == 4 && strcmp(argv[1], "fill") == 0) {
        static struct caller caller;
        for (int i = 0; i < atoi(argv[2]); i++) {
            ask(&caller, "ADD", 0, i, argv[3]);
        }
    } else {
        fputs("usage: see the head of callers.c\n", stderr);
        return 1;
    }
    return 0;
}
