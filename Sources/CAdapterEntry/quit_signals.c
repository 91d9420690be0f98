#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "adapter_entry.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static int to_thread = -1, from_handler = -1;
static pid_t owner;

/// Of SIGURG a process does not die.
static void die(int number) {
    if (number == SIGURG) number = SIGTERM;
    signal(number, SIG_DFL);
    kill(getpid(), number);
}

/// The handler is gone by now: the next signal of this number ends the process.
static void asked(int number) {
    const int error = errno;
    const unsigned char byte = (unsigned char)number;
    // A process that was forked from this one shares the pipe, and is not the one that is meant.
    if (getpid() != owner || write(to_thread, &byte, 1) != 1) die(number);
    errno = error;
}

/// Quits the app on a thread of its own: no handler of a signal may do that work.
static void *wait_for_signals(void *nothing) {
    unsigned char number;
    while (read(from_handler, &number, 1) == 1) {
        if (!keyflight_adapter_quit()) die(number);
    }
    return nothing;
}

static void handle(int number) {
    struct sigaction ours = {.sa_handler = asked, .sa_flags = (int)(SA_RESTART | SA_RESETHAND)};
    sigemptyset(&ours.sa_mask);
    sigaction(number, &ours, NULL);
}

static bool is_unhandled(int number) {
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL;
}

#if defined(__linux__)

static bool is_of_toolkit(int number) {
    struct sigaction now;
    if (sigaction(number, NULL, &now) != 0) return false;
    Dl_info found;
    void *address;
    memcpy(&address, &now.sa_handler, sizeof address);
    return dladdr(address, &found) != 0 && found.dli_fname != NULL && strstr(found.dli_fname, "libgnustep-") != NULL;
}

static bool take_signals(void) {
    bool is_taken = to_thread < 0;
    const int numbers[] = {SIGTERM, SIGINT};
    for (int place = 0; place < 2 && to_thread >= 0; place++) {
        if (!is_of_toolkit(numbers[place])) continue;
        handle(numbers[place]);
        is_taken = true;
    }
    return is_taken;
}

#else

static bool take_signals(void) { return true; }

#endif

static void watch_signals(void) {
    int ends[2];
    if (pipe(ends) != 0) return;
    from_handler = ends[0];
    to_thread = ends[1];
    for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    owner = getpid();
    pthread_t thread;
    const int error = pthread_create(&thread, NULL, wait_for_signals, NULL);
    if (error != 0) {
        for (int end = 0; end < 2; end++) close(ends[end]);
        to_thread = -1;
        return;
    }
    pthread_detach(thread);
    if (is_unhandled(SIGURG)) handle(SIGURG);
    if (is_unhandled(SIGTERM)) handle(SIGTERM);
    if (is_unhandled(SIGINT)) handle(SIGINT);
}

void keyflight_adapter_begin(void) {
    // A request that comes meanwhile waits for its handler. Threads inherit this: signals are for the app's own.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (keyflight_adapter_start(take_signals, keyflight_thread_counts())) watch_signals();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
