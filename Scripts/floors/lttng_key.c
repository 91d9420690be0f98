// lttng_key EVENTS THREADS: nanoseconds of processor time that a thread pays for one key event in LTTng-UST, the mean of
// all threads. A session must have the event keyflight_floor:key enabled, or nothing is recorded.
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_key.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 8, BURST = 2000 };

static long events;

static uint64_t processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

// In bursts with a pause between them, as the recorder is measured.
static void *record(void *spent) {
    uint64_t sum = 0;
    for (long done = 0; done < events; done += BURST) {
        uint64_t begin = processor_time();
        for (long place = 0; place < BURST; place++) {
            lttng_ust_tracepoint(keyflight_floor, key, 0x70004 + (place >> 1 & 0x3F), place & 1, 1, done + place);
        }
        sum += processor_time() - begin;
        usleep(1000);
    }
    *(uint64_t *)spent = sum;
    return NULL;
}

int main(int argc, char **argv) {
    int threads = argc == 3 ? atoi(argv[2]) : 0;
    if (threads < 1 || threads > MOST_THREADS) return fprintf(stderr, "usage: lttng_key EVENTS THREADS\n"), 64;
    events = (atol(argv[1]) + BURST - 1) / BURST * BURST;
    pthread_t crew[MOST_THREADS];
    uint64_t spent[MOST_THREADS], sum = 0;
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&crew[i], NULL, record, &spent[i]) != 0) return 70;
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(crew[i], NULL);
        sum += spent[i];
    }
    printf("events %ld threads %d ns %" PRIu64 "\n", events * threads, threads, sum);
    return 0;
}
