/* What the drivers share: a clock, samples on stdout, floors, and namespaces for pods.
   A driver that cannot do its work says why and exits with 1. */
#ifndef PODLEDGER_BENCH_H
#define PODLEDGER_BENCH_H

#include <stddef.h>
#include <stdint.h>

enum { POD_ADDRESS_BYTES = 4, MAC_BYTES = 6, NAME_BYTES = 16 };

/* common.c */
_Noreturn void fail(const char *what);
int64_t now_ns(void);
/* One sample, as the line "NAME VALUE". */
void sample(const char *name, int64_t value);

/* A file that the disk has room for, and the small durable write of a journal that appends. */
int open_preallocated(const char *path);
void write_durably(int file, int64_t index);

/* A new network namespace; the calling thread stays in its own. */
int new_namespace(int home);
int own_namespace(void);

/* netlink.c: the kernel objects of one pod, by as few messages as will do. */
struct pod {
    char device[NAME_BYTES]; /* the host's end */
    uint8_t host_mac[MAC_BYTES];
    uint8_t pod_mac[MAC_BYTES];
    uint8_t address[POD_ADDRESS_BYTES];
    int namespace; /* descriptor of the pod's namespace */
};
/* The calling thread is in the host's namespace, which `home` is a descriptor of, and comes back. */
void netlink_add(int host_socket, int home, const struct pod *pod);
void netlink_del(int host_socket, const struct pod *pod);
int netlink_socket(void);

#endif
