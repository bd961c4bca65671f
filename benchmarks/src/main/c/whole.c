/* Whole pods through the plugin, each beside its floors: in every turn an empty program, a durable
   write, the netlink messages, and an ADD and a DEL of the plugin. Samples are ns, but for max-rss:
   KiB.

   whole KIND WARM COUNT KEPT PLUGIN EMPTY SOCKET SPOOL FILE

   KIND begins the pods' container IDs. WARM turns are not shown, COUNT are; then KEPT pods are added and stay. Every pod has a fresh
   namespace, made before the clock starts and kept: the kernel's work of removing one would run
   beside what is measured. */
#define _GNU_SOURCE
#include "bench.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char CONFIG[] = "{\"cniVersion\":\"1.0.0\",\"name\":\"podledger\",\"type\":\"podledger\"}";

/* The variables that a runtime gives; those before TEXTS change with each call. */
enum { COMMAND, CONTAINER, NETNS, ARGS, TEXTS, IFNAME = TEXTS, PATH, SOCKET, SPOOL, VARIABLES };
static char texts[TEXTS][512];
static char socket_text[256];
static char spool_text[256];
static char *environment[VARIABLES + 1] = {texts[COMMAND], texts[CONTAINER],     texts[NETNS],
                                           texts[ARGS],    "CNI_IFNAME=eth0",    "CNI_PATH=/opt/cni/bin",
                                           socket_text,    spool_text,           NULL};

static void cpu_sample(const char *name, const struct rusage *usage) {
    int64_t user = (int64_t)usage->ru_utime.tv_sec * 1000000 + usage->ru_utime.tv_usec;
    int64_t kernel = (int64_t)usage->ru_stime.tv_sec * 1000000 + usage->ru_stime.tv_usec;
    char full[64];
    snprintf(full, sizeof full, "cpu.%s", name);
    sample(full, (user + kernel) * 1000);
    snprintf(full, sizeof full, "max-rss.%s", name);
    sample(full, usage->ru_maxrss);
}

/* Runs a program as a runtime does: the configuration on its stdin, its stdout read to the end. */
static void run(const char *program, const char *name, bool shown) {
    char output[8192];
    size_t size = 0;
    ssize_t now;
    int in[2];
    int out[2];
    int status;
    pid_t child;
    struct rusage usage;
    char *arguments[] = {(char *)(uintptr_t)program, NULL};
    posix_spawn_file_actions_t actions;
    int64_t start = now_ns();
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
        fail("pipe");
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    if (posix_spawn(&child, program, &actions, NULL, arguments, environment) != 0) {
        fail(program);
    }
    close(in[0]);
    close(out[1]);
    /* Into the pipe's buffer; the empty program may have ended already. */
    (void)!write(in[1], CONFIG, sizeof CONFIG - 1);
    close(in[1]);
    while ((now = read(out[0], output + size, sizeof output - 1 - size)) > 0) {
        size += (size_t)now;
    }
    wait4(child, &status, 0, &usage);
    int64_t taken = now_ns() - start;
    close(out[0]);
    posix_spawn_file_actions_destroy(&actions);
    if (status != 0) {
        output[size] = '\0';
        fprintf(stderr, "benchmark: %s failed: %s\n", name, output);
        exit(1);
    }
    if (shown) {
        sample(name, taken);
        cpu_sample(name, &usage);
    }
}

static void variables(const char *command, const char *kind, int turn, int namespace) {
    snprintf(texts[COMMAND], sizeof texts[0], "CNI_COMMAND=%s", command);
    snprintf(texts[CONTAINER], sizeof texts[0], "CNI_CONTAINERID=%s%056d", kind, turn);
    snprintf(texts[NETNS], sizeof texts[0], "CNI_NETNS=/proc/%d/fd/%d", (int)getpid(), namespace);
    snprintf(texts[ARGS], sizeof texts[0],
             "CNI_ARGS=IgnoreUnknown=1;K8S_POD_NAMESPACE=default;K8S_POD_NAME=web-%d;"
             "K8S_POD_INFRA_CONTAINER_ID=%s%056d;K8S_POD_UID=5f0c6a1e-5b0e-4c1e-9c56-%012d",
             turn, kind, turn, turn);
}

static struct pod floor_pod(int turn, int namespace) {
    struct pod pod = {.namespace = namespace,
                      .host_mac = {2, 1, 0, 0, (uint8_t)(turn >> 8), (uint8_t)turn},
                      .pod_mac = {2, 2, 0, 0, (uint8_t)(turn >> 8), (uint8_t)turn},
                      .address = {198, 19, (uint8_t)(turn >> 8), (uint8_t)turn}};
    snprintf(pod.device, sizeof pod.device, "floor%d", turn);
    return pod;
}

int main(int argc, char **argv) {
    if (argc != 10) {
        fputs("usage: whole KIND WARM COUNT KEPT PLUGIN EMPTY SOCKET SPOOL FILE\n", stderr);
        return 1;
    }
    signal(SIGPIPE, SIG_IGN);
    const char *kind = argv[1];
    int warm = atoi(argv[2]);
    int turns = warm + atoi(argv[3]);
    int kept = atoi(argv[4]);
    const char *plugin = argv[5];
    snprintf(socket_text, sizeof socket_text, "PODLEDGER_SOCKET=%s", argv[7]);
    snprintf(spool_text, sizeof spool_text, "PODLEDGER_SPOOL=%s", argv[8]);
    int file = open_preallocated(argv[9]);
    int home = own_namespace();
    int host = netlink_socket();
    int *namespaces = malloc(sizeof(int) * (size_t)(2 * turns + kept));
    for (int i = 0; i < 2 * turns + kept; i++) {
        namespaces[i] = new_namespace(home);
    }
    for (int turn = 0; turn < turns; turn++) {
        bool shown = turn >= warm;
        struct pod pod = floor_pod(turn, namespaces[2 * turn]);
        int64_t at[5];
        run(argv[6], "empty", shown);
        at[0] = now_ns();
        write_durably(file, turn);
        at[1] = now_ns();
        netlink_add(host, home, &pod);
        at[2] = now_ns();
        variables("ADD", kind, turn, namespaces[2 * turn + 1]);
        run(plugin, "add", shown);
        at[3] = now_ns();
        netlink_del(host, &pod);
        at[4] = now_ns();
        variables("DEL", kind, turn, namespaces[2 * turn + 1]);
        run(plugin, "del", shown);
        if (shown) {
            sample("sync", at[1] - at[0]);
            sample("netlink.add", at[2] - at[1]);
            sample("netlink.del", at[4] - at[3]);
        }
    }
    for (int i = 0; i < kept; i++) {
        variables("ADD", kind, turns + i, namespaces[2 * turns + i]);
        run(plugin, "kept", false);
    }
    return 0;
}
