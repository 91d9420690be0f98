#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "stack_sampler.h"

#if defined(__linux__) && defined(__x86_64__) && defined(__GLIBC__)

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "sampled_stacks.h"
#include "thread_state.h"

/// Of the sampler's thread alone, by its timer and when a span ends. One that is queued: an ordinary signal that comes
/// while that of a timer is pending, which was set anew, is lost with it.
#define WAKE (SIGRTMAX - 3)

enum {
    /// Asks the sampled thread for its stack.
    SIGNAL = SIGURG,
    /// What a function may use below its stack pointer, where an epilogue still has the registers of its caller.
    RED_ZONE = 128,
    COPY = 256 << 10,
    /// Samples of one stack, and of a span, after which only each tenth is taken.
    MANY_OF_STACK = 100, MANY_SAMPLES = 1000,
    /// Nanoseconds of processor time, and for how long they are waited for, by which a thread that seems to run has
    /// left the call that it was in.
    RUNNING = 20000, SHORT_WAIT = 50000,
};

static struct keyflight_sampler_options options;
static pid_t process, sampled, sampler;
static uint64_t stack_top, stack_size;
static int state_file = -1;
static timer_t timer;
static clockid_t processor_time;
static bool is_on;
static struct { atomic_ullong read, signalled, torn, restarted, wakes; } counts;

/// The span that is open, by its number; 0 for none. Of the sampled thread, read by the sampler's.
static atomic_uint current;
static atomic_ullong began;
/// The last span with a sample, of the sampler's thread; and the last whose samples are wanted, of the sampled one.
static atomic_uint taken, wanted;
static uint32_t last_span;

static uint64_t read_clock(clockid_t clock) {
    struct timespec time = {0, 0};
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t now(void) { return read_clock(CLOCK_MONOTONIC); }

static long futex(atomic_int *word, int operation, int value, const struct timespec *timeout) {
    return syscall(SYS_futex, word, operation, value, timeout, NULL, 0);
}

// MARK: The sampled thread

static void set_timer(uint64_t first, uint64_t each) {
    const struct itimerspec times = {
        {(time_t)(each / 1000000000u), (long)(each % 1000000000u)},
        {(time_t)(first / 1000000000u), (long)(first % 1000000000u)}};
    timer_settime(timer, 0, &times, NULL);
}

void keyflight_sampler_arm(void) {
    if (!is_on) return;
    if (++last_span == 0) last_span = 1;
    atomic_store(&began, now());
    atomic_store(&current, last_span);
    set_timer(options.threshold, options.interval);
    // Names are read while it is not late yet: there may be many.
    if (last_span == 1) syscall(SYS_tgkill, process, sampler, WAKE);
}

uint32_t keyflight_sampler_disarm(void) {
    const uint32_t span = is_on ? atomic_load(&current) : 0;
    if (span == 0) return 0;
    atomic_store(&current, 0);
    set_timer(0, 0);
    return atomic_load(&taken) == span ? span : 0;
}

void keyflight_sampler_request(uint32_t number) {
    if (!is_on) return;
    atomic_store(&wanted, number);
    syscall(SYS_tgkill, process, sampler, WAKE);
}

// MARK: The handler

enum { IDLE, REQUESTED, ANSWERED };
static atomic_int request;
static struct {
    struct unwind_registers registers;
    size_t length;
    uint64_t time;
    bool is_restarted;
    uint8_t stack[COPY];
} answer;

/// True for calls that fail with EINTR for every handler, whatever SA_RESTART asks for, and may be begun again with the
/// same arguments. Their time limit begins anew: by less than passed since the look before the signal.
static bool may_begin_again(uint32_t call) {
    switch (call) {
    case SYS_poll: case SYS_ppoll: case SYS_select: case SYS_pselect6: case SYS_epoll_wait: case SYS_epoll_pwait:
    case SYS_nanosleep: case SYS_clock_nanosleep: case SYS_futex: return true;
    default: return false;
    }
}

/// Where the signal interrupted `mov $call, %eax; syscall`, as glibc compiles those calls, and the call would fail with
/// EINTR, the thread goes back to the first of the two instructions. The registers of the arguments are still whole.
static bool begin_call_again(greg_t *registers) {
    const uint64_t pc = (uint64_t)registers[REG_RIP];
    if (registers[REG_RAX] != -EINTR || (pc & 4095) < 8) return false;
    const uint8_t *end = (const uint8_t *)pc;
    uint32_t call;
    memcpy(&call, end - 6, sizeof call);
    // A prefix before the first instruction would make it one of another register.
    if (end[-2] != 0x0f || end[-1] != 0x05 || end[-7] != 0xb8 || (end[-8] & 0xf0) == 0x40) return false;
    if (!may_begin_again(call)) return false;
    registers[REG_RIP] -= 7;
    return true;
}

static void copy_stack(const ucontext_t *context) {
    static const struct { int number, place; } pairs[] = {
        {UNWIND_RBX, REG_RBX}, {UNWIND_RBP, REG_RBP}, {UNWIND_RSP, REG_RSP}, {10, REG_R10},        {12, REG_R12},
        {13, REG_R13},         {14, REG_R14},         {15, REG_R15},         {UNWIND_RA, REG_RIP}};
    answer.registers.known = 0;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        answer.registers.values[pairs[i].number] = (uint64_t)context->uc_mcontext.gregs[pairs[i].place];
        answer.registers.known |= 1u << pairs[i].number;
    }
    const uint64_t top = answer.registers.values[UNWIND_RSP];
    answer.length = 0;
    // Another stack, such as one of a coroutine.
    if (top >= stack_top || stack_top - top > stack_size) return;
    answer.length = stack_top - top + RED_ZONE;
    if (answer.length > COPY) answer.length = COPY;
    memcpy(answer.stack, (const void *)(top - RED_ZONE), answer.length);
}

static void handle(int number, siginfo_t *info, void *state) {
    (void)number;
    (void)info;
    if (atomic_load(&request) != REQUESTED) return;
    const int error = errno;
    ucontext_t *context = state;
    answer.time = now();
    answer.is_restarted = begin_call_again(context->uc_mcontext.gregs);
    copy_stack(context);
    atomic_store(&request, ANSWERED);
    futex(&request, FUTEX_WAKE_PRIVATE, 1, NULL);
    errno = error;
}

// MARK: The sampler's thread

/// Samples of the last stack, one after the other.
static unsigned same_samples;

static void keep(
    uint32_t span, uint64_t time, unsigned intervals, int call, struct unwind_registers *registers,
    const struct unwind_stack *stack) {
    static struct unwind_frame frames[UNWIND_DEPTH];
    bool is_whole;
    const int count = unwind(registers, stack, frames, &is_whole);
    const uint64_t begin = atomic_load(&began);
    // The span has ended meanwhile: the sample may show what came after it.
    if (atomic_load(&current) != span || time < begin) return;
    if (!is_whole) atomic_fetch_add(&counts.torn, 1);
    const bool is_same = stacks_add(time - begin, intervals, call, frames, count, is_whole, options.name);
    same_samples = is_same ? same_samples + 1 : 0;
    atomic_store(&taken, span);
}

/// A sample of a thread that is blocked in a system call; false for one that is not.
static bool sample_blocked(uint32_t span, unsigned intervals) {
    static uint8_t copy[COPY];
    for (int attempt = 0; attempt < 2; attempt++) {
        struct thread_state before, after;
        const uint64_t time = now();
        // One that waits for a page is in no call, which a signal could interrupt.
        if (!read_thread_state(state_file, &before) || before.call < 0) return false;
        if (before.sp >= stack_top || stack_top - before.sp > stack_size) return false;
        size_t length = stack_top - before.sp;
        if (length > COPY) length = COPY;
        memcpy(copy, (const void *)before.sp, length);
        if (!read_thread_state(state_file, &after) || after.call != before.call) continue;
        if (after.sp != before.sp || after.pc != before.pc) continue;
        struct unwind_registers registers = {.known = 1u << UNWIND_RSP | 1u << UNWIND_RA};
        registers.values[UNWIND_RSP] = before.sp;
        registers.values[UNWIND_RA] = before.pc;
        const struct unwind_stack stack = {copy, before.sp, length};
        keep(span, time, intervals, before.call, &registers, &stack);
        atomic_fetch_add(&counts.read, 1);
        return true;
    }
    return false;
}

/// False for a thread that is about to leave a call, such as one whose time is up: a signal would make it fail, and
/// begun again it would wait as long once more.
static bool is_running(void) {
    const uint64_t before = read_clock(processor_time);
    const struct timespec wait = {0, SHORT_WAIT};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &wait, NULL);
    return read_clock(processor_time) - before >= RUNNING;
}

static void sample(uint32_t span, unsigned intervals) {
    if (sample_blocked(span, intervals)) return;
    if (!is_running()) {
        if (!sample_blocked(span, intervals)) stacks_skip(intervals);
        return;
    }
    struct thread_state state;
    if (read_thread_state(state_file, &state) && state.call >= 0) return stacks_skip(intervals);
    // The last signal was not answered: the thread blocks it, or does not get to run.
    if (atomic_load(&request) == REQUESTED) return stacks_skip(intervals);
    atomic_store(&request, REQUESTED);
    if (syscall(SYS_tgkill, process, sampled, SIGNAL) != 0) return atomic_store(&request, IDLE);
    const uint64_t limit = now() + 20000000;
    while (atomic_load(&request) == REQUESTED) {
        const struct timespec wait = {0, 5000000};
        futex(&request, FUTEX_WAIT_PRIVATE, REQUESTED, &wait);
        if (now() > limit) return stacks_skip(intervals);
    }
    atomic_fetch_add(&counts.signalled, 1);
    if (answer.is_restarted) atomic_fetch_add(&counts.restarted, 1);
    struct unwind_registers registers = answer.registers;
    const struct unwind_stack stack = {answer.stack, registers.values[UNWIND_RSP] - RED_ZONE, answer.length};
    if (answer.length > 0) keep(span, answer.time, intervals, -1, &registers, &stack);
    else stacks_skip(intervals);
}

static atomic_int is_started, is_stopping, is_stopped;

static bool deliver(uint32_t span, uint64_t begin) {
    static char text[STACKS_TEXT];
    if (atomic_load(&wanted) != span) return false;
    const size_t length = stacks_text(text);
    options.deliver(span, begin, text, length);
    return true;
}

static void announce(atomic_int *word, int value) {
    atomic_store(word, value);
    futex(word, FUTEX_WAKE_PRIVATE, 1, NULL);
}

static void *run(void *nothing) {
    (void)nothing;
    pthread_setname_np(pthread_self(), "kf-sampler");
    sampler = (pid_t)syscall(SYS_gettid);
    prctl(PR_SET_TIMERSLACK, 1000ul);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = WAKE};
    event._sigev_un._tid = sampler;
    const bool has_timer = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
    announce(&is_started, has_timer ? 1 : 2);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, WAKE);
    uint32_t span = 0;
    uint64_t begin = 0;
    unsigned ticks = 0;
    bool is_skipped = false, knows_names = false;
    while (has_timer) {
        if (sigwaitinfo(&set, NULL) != WAKE) continue;
        atomic_fetch_add(&counts.wakes, 1);
        const uint32_t open = atomic_load(&current);
        // One that has ended may still be requested, until another one begins.
        if (span != 0 && open != span && (deliver(span, begin) || open != 0)) span = 0;
        if (atomic_load(&is_stopping)) break;
        if (!knows_names) {
            char name[16];
            knows_names = true;
            if (options.name != NULL) options.name(1, name, sizeof name);
            continue;
        }
        // A request for the span before may come while this one is not late yet.
        if (open == 0 || now() - atomic_load(&began) < options.threshold) continue;
        if (span == 0) {
            stacks_begin();
            span = open;
            begin = atomic_load(&began);
            ticks = same_samples = 0;
            is_skipped = process_is_traced();
        }
        ticks++;
        const unsigned intervals = ticks > MANY_SAMPLES || same_samples > MANY_OF_STACK ? 10 : 1;
        if (!is_skipped && ticks % intervals == 0) sample(open, intervals);
    }
    announce(&is_stopped, 1);
    return nothing;
}

// MARK: Start and stop

static bool find_stack(void) {
    pthread_attr_t attributes;
    void *lowest;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
    const int error = pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    // Where the stack has no limit, what lies below it belongs to others.
    stack_top = (uint64_t)lowest + size;
    stack_size = size < 8u << 20 ? size : 8u << 20;
    return error == 0;
}

static bool start_thread(void) {
    // Signals are for the app's own threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 512 << 10);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    const int error = pthread_create(&thread, &attributes, run, NULL);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    while (error == 0 && atomic_load(&is_started) == 0) futex(&is_started, FUTEX_WAIT_PRIVATE, 0, NULL);
    return error == 0 && atomic_load(&is_started) == 1;
}

bool keyflight_sampler_start(const struct keyflight_sampler_options *chosen) {
    if (process != 0 || chosen->threshold == 0 || chosen->interval == 0) return false;
    if (process_is_traced() || !find_stack()) return false;
    struct sigaction before;
    if (sigaction(SIGNAL, NULL, &before) != 0 || before.sa_handler != SIG_DFL) return false;
    options = *chosen;
    process = getpid();
    sampled = (pid_t)syscall(SYS_gettid);
    if (pthread_getcpuclockid(pthread_self(), &processor_time) != 0) return false;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/syscall", (int)sampled);
    state_file = open(path, O_RDONLY | O_CLOEXEC);
    char byte;
    // Without a look before it, a signal would cut each call of the app.
    if (state_file < 0 || pread(state_file, &byte, 1, 0) != 1) return false;
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    if (sigaction(SIGNAL, &action, NULL) != 0) return false;
    unwind_prepare_forks();
    is_on = start_thread();
    return is_on;
}

bool keyflight_sampler_stop(void) {
    // A process that was forked from this one has no thread to stop.
    if (!is_on || getpid() != process) return true;
    is_on = false;
    set_timer(0, 0);
    atomic_store(&current, 0);
    atomic_store(&is_stopping, 1);
    syscall(SYS_tgkill, process, sampler, WAKE);
    const uint64_t limit = now() + 200000000;
    while (atomic_load(&is_stopped) == 0 && now() < limit) {
        const struct timespec wait = {0, 20000000};
        futex(&is_stopped, FUTEX_WAIT_PRIVATE, 0, &wait);
    }
    return atomic_load(&is_stopped) != 0;
}

struct keyflight_sampler_counts keyflight_sampler_counts_now(void) {
    return (struct keyflight_sampler_counts){
        atomic_load(&counts.read), atomic_load(&counts.signalled), atomic_load(&counts.torn),
        atomic_load(&counts.restarted), atomic_load(&counts.wakes)};
}

#else

bool keyflight_sampler_start(const struct keyflight_sampler_options *options) {
    (void)options;
    return false;
}
void keyflight_sampler_arm(void) {}
uint32_t keyflight_sampler_disarm(void) { return 0; }
void keyflight_sampler_request(uint32_t number) { (void)number; }
bool keyflight_sampler_stop(void) { return true; }
struct keyflight_sampler_counts keyflight_sampler_counts_now(void) {
    return (struct keyflight_sampler_counts){0, 0, 0, 0, 0};
}

#endif
