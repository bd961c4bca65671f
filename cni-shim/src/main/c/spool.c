#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static uint64_t clock_ms(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void read_boot_id(char boot_id[37]) {
    memset(boot_id, 0, 37);
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        if (read(file, boot_id, 36) != 36) {
            memset(boot_id, 0, 37);
        }
        close(file);
    }
}

static int write_file(int folder, const char *name, const uint8_t *data, size_t size) {
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
        return errno;
    }
    errno = 0;
    int failed = write_all(file, data, size) && fsync(file) == 0 ? 0 : (errno != 0 ? errno : EIO);
    if (close(file) != 0 && failed == 0) {
        failed = errno;
    }
    return failed;
}

/* Whole under a hidden name, then renamed: whoever lists the folder sees a whole file or none. */
static int write_renamed(int folder, const struct spooled *spooled, const uint8_t *frame,
                         size_t size) {
    uint32_t random = 0;
    char name[96];
    char hidden[100];
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0) {
        random = (uint32_t)clock_ms(CLOCK_MONOTONIC);
    }
    snprintf(name, sizeof name, "%020" PRIu64 "-%" PRIu64 "-%d-%08" PRIx32 ".del",
             spooled->boottime_ms, spooled->wall_ms, (int)getpid(), random);
    snprintf(hidden, sizeof hidden, ".%s", name);
    int failed = write_file(folder, hidden, frame, size);
    if (failed == 0 && renameat(folder, hidden, folder, name) != 0) {
        failed = errno;
    }
    if (failed == 0 && fsync(folder) != 0) {
        failed = errno;
    }
    if (failed != 0) {
        unlinkat(folder, hidden, 0);
    }
    return failed;
}

static int open_at(int at, const char *path) {
    return openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Makes the folder's own entry durable: 0 or an errno. */
static int sync_parent(int folder) {
    int parent = open_at(folder, "..");
    int failed = parent >= 0 && fsync(parent) == 0 ? 0 : errno;
    if (parent >= 0) {
        close(parent);
    }
    return failed;
}

/* The folder, made where only it is missing: a missing parent may be a disk that is not mounted
   yet. Its entry is synced also where it is there: another plugin may have made it a moment ago,
   and not have come so far. */
static int open_folder(const char *path) {
    int folder = open_at(AT_FDCWD, path);
    if (folder < 0 && errno == ENOENT && (mkdir(path, 0700) == 0 || errno == EEXIST)) {
        folder = open_at(AT_FDCWD, path);
    }
    int failed = folder < 0 ? 0 : sync_parent(folder);
    if (failed != 0) {
        close(folder);
        errno = failed;
        return -1;
    }
    return folder;
}

int spool_write(const char *folder_path, struct call *call, uint8_t *frame, const char **where) {
    struct spooled spooled = {.boottime_ms = clock_ms(CLOCK_BOOTTIME),
                              .wall_ms = clock_ms(CLOCK_REALTIME)};
    read_boot_id(spooled.boot_id);
    *where = folder_path;
    size_t size = wire_encode(call, &spooled, frame);
    if (size == 0) {
        return EMSGSIZE;
    }
    int folder = open_folder(folder_path);
    if (folder < 0) {
        return errno;
    }
    int failed = write_renamed(folder, &spooled, frame, size);
    close(folder);
    return failed;
}
