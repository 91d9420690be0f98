// clock_read ROUNDS: nanoseconds of one read of the monotonic clock, in the fastest round of a million.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 2) return fprintf(stderr, "usage: clock_read ROUNDS\n"), 64;
    uint64_t best = UINT64_MAX, sum = 0;
    for (int round = 0; round < atoi(argv[1]); round++) {
        uint64_t begin = now();
        for (int i = 0; i < 1000000; i++) sum += now();
        uint64_t took = now() - begin;
        if (took < best) best = took;
    }
    printf("reads 1000000 sum %" PRIu64 " ns %" PRIu64 "\n", sum, best);
    return 0;
}
