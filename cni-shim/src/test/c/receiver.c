/* receiver SOCKET: serves one caller as far as the descriptor, which Java cannot receive. Prints
   "ready", then what came with the first byte: "BYTE DESCRIPTORS DEVICE INODE". Ends without an
   answer. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { DESCRIPTORS_MAX = 8 };

static int listen_on(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    if (server < 0 || bind(server, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(server, 1) != 0) {
        perror(path);
        return -1;
    }
    puts("ready");
    fflush(stdout);
    return accept(server, NULL, NULL);
}

int main(int argc, char **argv) {
    int caller = argc == 2 ? listen_on(argv[1]) : -1;
    unsigned char first = 0;
    struct iovec part = {&first, 1};
    union {
        char space[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
        struct cmsghdr align;
    } control;
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof control.space};
    if (caller < 0 || recvmsg(caller, &message, MSG_CMSG_CLOEXEC) != 1) {
        return 1;
    }
    int descriptors[DESCRIPTORS_MAX] = {-1};
    size_t count = 0;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
        count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(descriptors, CMSG_DATA(header), count * sizeof(int));
    }
    struct stat status = {0};
    if (fstat(descriptors[0], &status) != 0) {
        perror("fstat");
    }
    printf("0x%02X %zu %llu %llu\n", first, count, (unsigned long long)status.st_dev,
           (unsigned long long)status.st_ino);
    return 0;
}
