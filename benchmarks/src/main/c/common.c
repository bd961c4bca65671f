#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The size of a journal's segment, and about that of a reservation in it. */
enum { FILE_BYTES = 16 << 20, RECORD_BYTES = 256 };

void fail(const char *what) {
    fprintf(stderr, "benchmark: %s: %s\n", what, strerror(errno));
    exit(1);
}

int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void sample(const char *name, int64_t value) {
    printf("%s %" PRId64 "\n", name, value);
}

int open_preallocated(const char *path) {
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || fallocate(file, 0, 0, FILE_BYTES) != 0 || fsync(file) != 0) {
        fail(path);
    }
    return file;
}

void write_durably(int file, int64_t index) {
    static const char record[RECORD_BYTES];
    off_t at = (off_t)(index % (FILE_BYTES / RECORD_BYTES)) * RECORD_BYTES;
    if (pwrite(file, record, sizeof record, at) != sizeof record || fdatasync(file) != 0) {
        fail("write and fdatasync");
    }
}

int own_namespace(void) {
    int descriptor = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        fail("open the own network namespace");
    }
    return descriptor;
}

int new_namespace(int home) {
    if (unshare(CLONE_NEWNET) != 0) {
        fail("make a network namespace");
    }
    int made = own_namespace();
    if (setns(home, CLONE_NEWNET) != 0) {
        fail("come back from a network namespace");
    }
    return made;
}
