#define _POSIX_C_SOURCE 200809L
#include "shim.h"

#include <errno.h>
#include <time.h>

int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int left_ms(int64_t deadline_ms) {
    int64_t left = deadline_ms - now_ms();
    return left > 0 ? (int)left : 0;
}

void sleep_ms(int ms) {
    struct timespec left = {ms / 1000, (ms % 1000) * 1000000L};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}
