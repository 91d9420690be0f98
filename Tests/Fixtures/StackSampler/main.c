// The stack sampler by itself: its unwinder against that of the compiler's library on the same stacks, and samples as
// fast as they come of a thread that does everything that has locks or tables of its own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "stack_sampler.h"
#include "stack_unwinder.h"

/// Without optimisation most functions need their frame pointer, which is guessed of a blocked thread.
#ifdef __OPTIMIZE__
enum { TORN_LIMIT = 200 };
#else
enum { TORN_LIMIT = 50 };
#endif

static volatile unsigned sink;

// MARK: Unwinders

static uint64_t stack_top;
static unsigned compared, different;

struct frames { int count; uint64_t pcs[UNWIND_DEPTH]; };

static _Unwind_Reason_Code note(struct _Unwind_Context *context, void *state) {
    struct frames *frames = state;
    if (frames->count == UNWIND_DEPTH) return _URC_END_OF_STACK;
    frames->pcs[frames->count++] = (uint64_t)_Unwind_GetIP(context);
    return _URC_NO_REASON;
}

static __attribute__((noinline)) void compare(void) {
    static uint8_t copy[1 << 20];
    static struct unwind_frame found[UNWIND_DEPTH];
    ucontext_t context;
    getcontext(&context);
    const greg_t *values = context.uc_mcontext.gregs;
    struct unwind_registers registers = {.known = 1u << 3 | 1u << 6 | 1u << 7 | 0xfu << 12 | 1u << 16};
    registers.values[3] = (uint64_t)values[REG_RBX];
    registers.values[6] = (uint64_t)values[REG_RBP];
    registers.values[7] = (uint64_t)values[REG_RSP];
    registers.values[12] = (uint64_t)values[REG_R12];
    registers.values[13] = (uint64_t)values[REG_R13];
    registers.values[14] = (uint64_t)values[REG_R14];
    registers.values[15] = (uint64_t)values[REG_R15];
    registers.values[16] = (uint64_t)values[REG_RIP];
    const uint64_t base = registers.values[7];
    size_t length = stack_top - base;
    if (length > sizeof copy) length = sizeof copy;
    memcpy(copy, (const void *)base, length);
    const struct unwind_stack stack = {copy, base, length};
    bool is_whole;
    const int count = unwind(&registers, &stack, found, &is_whole);
    struct frames expected = {0, {0}};
    _Unwind_Backtrace(note, &expected);
    // The innermost frames differ by their calls; the library's may end with one without code.
    bool is_same = is_whole && (expected.count == count || expected.count == count + 1);
    for (int i = 1; is_same && i < count; i++) is_same = found[i].pc == expected.pcs[i];
    compared++;
    different += !is_same;
}

static int by_comparison(const void *one, const void *other) {
    if (compared < 1000) compare();
    return *(const int *)one - *(const int *)other;
}

/// Frames of odd sizes, callbacks of the C library and a variable part between them.
static __attribute__((noinline)) void descend(int depth) {
    char room[16 + 8 * (depth % 13)];
    memset(room, depth, sizeof room);
    sink += (unsigned)room[depth % 16];
    int numbers[] = {5, 3, depth, 1, 4};
    qsort(numbers, 5, sizeof *numbers, by_comparison);
    if (depth > 0) descend(depth - 1);
    sink++;
}

// MARK: Hammer

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static unsigned long calls, cut;
static void expect(bool is_so) {
    calls++;
    cut += !is_so;
}

static void load_and_unload(void) {
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) dlclose(library);
}

static void allocate(void) {
    void *blocks[64];
    for (int i = 0; i < 64; i++) blocks[i] = malloc((size_t)16 << i % 10);
    for (int i = 0; i < 64; i++) free(blocks[i]);
}

static void start_others(void) {
    const pid_t child = fork();
    if (child == 0) {
        // A lock that the sampler held would be locked here for ever.
        load_and_unload();
        struct frames frames = {0, {0}};
        _Unwind_Backtrace(note, &frames);
        _exit(frames.count > 0 ? 0 : 1);
    }
    int status = 1;
    pid_t ended;
    do ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    expect(ended == child && status == 0);
    expect(system("true") == 0);
}

static void *disturb(void *nothing) {
    // Loads no code: a fork of the other thread would find the loader amid its work.
    for (;;) {
        allocate();
        usleep(200);
    }
    return nothing;
}

static void hammer(double length) {
    pthread_t thread;
    pthread_create(&thread, NULL, disturb, NULL);
    const double end = seconds() + length;
    unsigned long round = 0;
    while (seconds() < end) {
        keyflight_sampler_arm();
        for (int i = 0; i < 20; i++, round++) {
            expect(usleep(300) == 0);
            expect(poll(NULL, 0, 1) == 0);
            load_and_unload();
            allocate();
            for (unsigned k = 0; k < 200000; k++) sink += k * k;
            if (round % 50 == 0) start_others();
        }
        const uint32_t number = keyflight_sampler_disarm();
        if (number != 0) keyflight_sampler_request(number);
    }
}

static unsigned delivered;
static void deliver(uint32_t number, uint64_t began, const char *text, size_t length) {
    (void)number;
    (void)began;
    delivered += length > 0 && memmem(text, length, " usleep\n", 8) != NULL;
}

int main(int count, char **arguments) {
    const double length = count > 1 ? atof(arguments[1]) : 5;
    pthread_attr_t attributes;
    void *lowest;
    size_t size;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &lowest, &size);
    stack_top = (uint64_t)lowest + size;
    while (compared < 1000) descend(40);
    const struct keyflight_sampler_options options = {200000, 200000, NULL, deliver};
    if (!keyflight_sampler_start(&options)) {
        puts("not started");
        return 1;
    }
    hammer(length);
    const bool is_stopped = keyflight_sampler_stop();
    const struct keyflight_sampler_counts counts = keyflight_sampler_counts_now();
    const unsigned long samples = counts.read + counts.signalled;
    printf(
        "%u stacks, %u different; %lu samples (%lu by signal), %lu torn, %lu calls begun again; %lu calls, %lu cut; "
        "%u spans; stopped %d\n",
        compared, different, samples, (unsigned long)counts.signalled, (unsigned long)counts.torn,
        (unsigned long)counts.restarted, calls, cut, delivered, is_stopped);
    return different > 0 || cut > 0 || !is_stopped || delivered == 0 || counts.torn * TORN_LIMIT > samples;
}
