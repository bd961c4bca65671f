#define _POSIX_C_SOURCE 200809L
#include "shim.h"

#include <errno.h>
#include <poll.h>
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

bool wait_for(int descriptor, short events, int64_t deadline_ms) {
    struct pollfd poll_one = {descriptor, events, 0};
    int ready;
    do {
        ready = poll(&poll_one, 1, left_ms(deadline_ms));
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}
