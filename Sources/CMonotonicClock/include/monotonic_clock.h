#ifndef KEYFLIGHT_MONOTONIC_CLOCK_H
#define KEYFLIGHT_MONOTONIC_CLOCK_H

#include <stdint.h>
#include <time.h>

/// Nanoseconds of CLOCK_MONOTONIC: one call, without the 128-bit arithmetic of Swift's ContinuousClock.
static inline uint64_t keyflight_monotonic_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/// Nanoseconds since 1970, UTC.
static inline int64_t keyflight_unix_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + (int64_t)now.tv_nsec;
}

/// Nanoseconds of CPU time that the calling thread has used.
static inline uint64_t keyflight_thread_cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
