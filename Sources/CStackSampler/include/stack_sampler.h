#ifndef KEYFLIGHT_STACK_SAMPLER_H
#define KEYFLIGHT_STACK_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Samples the stack of one thread while something that it does takes long: from a threshold on, at an interval, until
// it is done. Linux with glibc on x86-64; elsewhere keyflight_sampler_start returns false.
//
// A timer wakes a thread of the sampler's own. It reads from /proc whether the sampled thread is blocked in a system
// call, and then copies its stack without disturbing it. Otherwise it sends one SIGURG (ignored by default, so that no
// program that takes this process's place is ended by it), whose handler copies registers and stack and allocates,
// locks and calls nothing. The copy is unwound by .eh_frame on the sampler's thread.
//
// A call that the thread enters between the look and the signal is begun again by the handler instead of failing with
// EINTR: poll, select, epoll_wait, sleeps and futex waits of glibc, which SA_RESTART leaves out.

#ifdef __cplusplus
extern "C" {
#endif

struct keyflight_sampler_options {
    /// Nanoseconds from keyflight_sampler_arm to the first sample, and between samples, both > 0.
    uint64_t threshold, interval;
    /// Names the function that begins at this address, such as a method that no symbol table has. NULL, or false for
    /// those that it does not know. On the sampler's thread.
    bool (*name)(uintptr_t function, char *buffer, size_t size);
    /// Takes the samples of a requested span, in the text form of the record `samples` in `Traces/FORMAT.md`. `began`:
    /// CLOCK_MONOTONIC of the arm. On the sampler's thread.
    void (*deliver)(uint32_t number, uint64_t began, const char *text, size_t length);
};

/// Samples the calling thread from now on. False where that cannot be done: another system, a thread that is traced by
/// a debugger, a process that handles SIGURG itself, no /proc. Once in a process.
bool keyflight_sampler_start(const struct keyflight_sampler_options *options);

/// Begins a span to be sampled, on the sampled thread. A span that is open ends without a result.
void keyflight_sampler_arm(void);

/// Ends the span. Its number, where it has samples; 0 where there are none.
uint32_t keyflight_sampler_disarm(void);

/// Has the samples of the span that was ended last delivered, by its number. Without this they are dropped.
void keyflight_sampler_request(uint32_t number);

/// Ends sampling for good, after what is to be delivered; waits at most 200 ms for that, and returns false after them.
bool keyflight_sampler_stop(void);

/// Counts since the start, for tests: samples by reading and by signal, stacks without their outermost frame, calls
/// begun again, wake-ups.
struct keyflight_sampler_counts { uint64_t read, signalled, torn, restarted, wakes; };
struct keyflight_sampler_counts keyflight_sampler_counts_now(void);

#ifdef __cplusplus
}
#endif

#endif
