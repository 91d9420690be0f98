#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "recorder_switch.h"

#include "shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

uint32_t keyflight_switch_word = 0;
uint32_t keyflight_flusher_sleeps = 0;
uint64_t keyflight_chord_keys = 0;
uint32_t keyflight_forks = 0;

// A pipe needs no lock to write to, and poll gives up by itself.
static int pipe_ends[2] = {-1, -1};
static pthread_once_t pipe_once = PTHREAD_ONCE_INIT;

static void make_pipe(void) {
    if (pipe(pipe_ends) != 0) {
        pipe_ends[0] = pipe_ends[1] = -1;
        return;
    }
    for (int end = 0; end < 2; end++) {
        fcntl(pipe_ends[end], F_SETFL, O_NONBLOCK);
        fcntl(pipe_ends[end], F_SETFD, FD_CLOEXEC);
    }
}

void keyflight_poke_flusher(void) {
    pthread_once(&pipe_once, make_pipe);
    int saved = errno;
    // A full pipe wakes just as well.
    if (pipe_ends[1] >= 0 && write(pipe_ends[1], "", 1) < 0) errno = saved;
}

int keyflight_wake_descriptor(void) {
    pthread_once(&pipe_once, make_pipe);
    if (pipe_ends[1] >= 0) fcntl(pipe_ends[1], F_SETFD, 0);
    return pipe_ends[1];
}

static void no_pipe(void) {}

void keyflight_set_wake_descriptor(int descriptor) {
    pthread_once(&pipe_once, no_pipe);
    pipe_ends[1] = descriptor;
}

void keyflight_wake_flusher(void) {
    if (keyflight_set_flusher_asleep(0) != 0) keyflight_poke_flusher();
}

void keyflight_name_flusher(void) {
#if defined(__APPLE__)
    pthread_setname_np("keyflight");
#elif defined(__linux__)
    pthread_setname_np(pthread_self(), "keyflight");
#endif
}

int keyflight_wait_for_wake(int milliseconds) {
    pthread_once(&pipe_once, make_pipe);
    if (pipe_ends[0] < 0) return 0;
    struct pollfd request = {.fd = pipe_ends[0], .events = POLLIN, .revents = 0};
    poll(&request, 1, milliseconds);
    char bytes[64];
    while (read(pipe_ends[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes) {
    }
    return 1;
}

#define HELD_LOCKS 4

static pthread_mutex_t *locks[HELD_LOCKS];
// Those that this thread's fork has taken: more may come meanwhile, and another thread may fork as well.
static _Thread_local pthread_mutex_t *taken[HELD_LOCKS];
static void (*child_action)(void);
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

static void before_fork(void) {
    for (int place = 0; place < HELD_LOCKS; place++) {
        taken[place] = __atomic_load_n(&locks[place], __ATOMIC_ACQUIRE);
        if (taken[place] != NULL) pthread_mutex_lock(taken[place]);
    }
}

static void in_parent(void) {
    for (int place = HELD_LOCKS - 1; place >= 0; place--) {
        if (taken[place] != NULL) pthread_mutex_unlock(taken[place]);
    }
}

static void in_child(void) {
    keyflight_set_switch(0);
    keyflight_copy_shared_memory();
    // Bytes written to the pipe wake the parent's flusher, and bytes read of it are lost for it.
    for (int end = 0; end < 2; end++) {
        if (pipe_ends[end] >= 0) close(pipe_ends[end]);
        pipe_ends[end] = -1;
    }
    pipe_once = (pthread_once_t)PTHREAD_ONCE_INIT;
    keyflight_set_flusher_asleep(0);
    __atomic_fetch_add(&keyflight_forks, 1, __ATOMIC_RELEASE);
    void (*action)(void) = __atomic_load_n(&child_action, __ATOMIC_ACQUIRE);
    if (action != NULL) action();
    in_parent();
}

static void begin_guard(void) { pthread_atfork(before_fork, in_parent, in_child); }

void keyflight_hold_at_fork(pthread_mutex_t *mutex, int place) {
    if (place >= 0 && place < HELD_LOCKS) __atomic_store_n(&locks[place], mutex, __ATOMIC_RELEASE);
    pthread_once(&fork_once, begin_guard);
}

void keyflight_call_after_fork(void (*action)(void)) {
    __atomic_store_n(&child_action, action, __ATOMIC_RELEASE);
    pthread_once(&fork_once, begin_guard);
}
