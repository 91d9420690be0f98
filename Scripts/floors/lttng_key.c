// lttng_key EVENTS THREADS [record]: nanoseconds of processor time that a thread pays for one key event in LTTng-UST, the
// mean of all threads. A session must have the events of keyflight_floor enabled, or nothing is recorded. `record`: events
// with all fields of a key record, for babeltrace2 to read, in place of those that the recorder is given.
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_key.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 8, BURST = 2000 };

static long events;
static int has_all_fields;

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
            const uint32_t usage = 0x70004 + (place >> 1 & 0x3F);
            if (has_all_fields)
                lttng_ust_tracepoint(keyflight_floor, record, 1, usage, place & 1, place << 12 & 0x1E0000, done + place, 0);
            else lttng_ust_tracepoint(keyflight_floor, key, usage, place & 1, 1, done + place);
        }
        sum += processor_time() - begin;
        usleep(1000);
    }
    *(uint64_t *)spent = sum;
    return NULL;
}

int main(int argc, char **argv) {
    has_all_fields = argc == 4 && strcmp(argv[3], "record") == 0;
    int threads = argc == 3 || has_all_fields ? atoi(argv[2]) : 0;
    if (threads < 1 || threads > MOST_THREADS) return fprintf(stderr, "usage: lttng_key EVENTS THREADS [record]\n"), 64;
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
