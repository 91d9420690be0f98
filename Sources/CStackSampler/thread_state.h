#ifndef KEYFLIGHT_THREAD_STATE_H
#define KEYFLIGHT_THREAD_STATE_H

#include <stdbool.h>
#include <stdint.h>

/// A thread that is blocked: in this system call, or −1 where it waits for something else, such as a page of a file.
struct thread_state {
    int call;
    uint64_t sp, pc;
};

/// Reads a thread's state from its open /proc/self/task/…/syscall. False for a thread that runs.
bool read_thread_state(int file, struct thread_state *state);

/// True under a debugger, which stops at each signal, and where that is not known.
bool process_is_traced(void);

#endif
