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

/// 1 where `keyflight_ticks` counts cycles of the processor, 0 where it counts nanoseconds of CLOCK_MONOTONIC.
extern uint32_t keyflight_counts_cycles;
static inline int keyflight_ticks_are_cycles(void) {
    return __atomic_load_n(&keyflight_counts_cycles, __ATOMIC_RELAXED) != 0;
}
/// Decides that, once, before the first tick: cycles where the kernel itself keeps time by them, which it does only
/// where they are the same on all cores and never change their pace.
void keyflight_choose_ticks(void);
/// From now on nanoseconds: the counter went back, as after a sleep of the whole machine.
void keyflight_count_nanoseconds(void);

/// The recorder's stamp: less than half as expensive as a clock read where it counts cycles. It may be taken some
/// nanoseconds before the preceding instructions of the program are over.
static inline uint64_t keyflight_ticks(void) {
#if defined(__x86_64__) && defined(__linux__)
    if (keyflight_ticks_are_cycles()) return __builtin_ia32_rdtsc();
#endif
    return keyflight_monotonic_ns();
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
