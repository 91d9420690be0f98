#include "monotonic_clock.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

uint32_t keyflight_counts_cycles = 0;

void keyflight_count_nanoseconds(void) { __atomic_store_n(&keyflight_counts_cycles, 0, __ATOMIC_RELAXED); }

static void choose(void) {
#if defined(__x86_64__) && defined(__linux__)
    char name[16] = "";
    int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    if (read(file, name, sizeof name - 1) > 0 && strcmp(name, "tsc\n") == 0) {
        __atomic_store_n(&keyflight_counts_cycles, 1, __ATOMIC_RELAXED);
    }
    close(file);
#endif
}

void keyflight_choose_ticks(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, choose);
}
