#ifndef KEYFLIGHT_RECORDER_SWITCH_H
#define KEYFLIGHT_RECORDER_SWITCH_H

#include <pthread.h>
#include <stdint.h>

/// The switch that every call into the recorder looks at first. Written rarely and under a lock, read without one: a
/// plain load of a constant address, which a lazily initialised global of Swift is not.
extern uint32_t keyflight_switch_word;
/// 1 while the flusher sleeps until its pipe is written to.
extern uint32_t keyflight_flusher_sleeps;

static inline uint32_t keyflight_switch(void) { return __atomic_load_n(&keyflight_switch_word, __ATOMIC_ACQUIRE); }
static inline void keyflight_set_switch(uint32_t word) {
    __atomic_store_n(&keyflight_switch_word, word, __ATOMIC_SEQ_CST);
}

static inline uint32_t keyflight_flusher_is_asleep(void) {
    return __atomic_load_n(&keyflight_flusher_sleeps, __ATOMIC_RELAXED);
}
/// Returns whether it was asleep before.
static inline uint32_t keyflight_set_flusher_asleep(uint32_t asleep) {
    return __atomic_exchange_n(&keyflight_flusher_sleeps, asleep, __ATOMIC_SEQ_CST);
}

/// Keeps stores on both sides of it in this order for handlers of signals on the same thread; costs no instruction.
static inline void keyflight_signal_fence(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

/// Gets the cache line of this address ready to be written, where the processor can: another core has read it since it
/// was written last. Any address will do.
static inline void keyflight_prepare_line(const void *address) {
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)address));
#else
    __builtin_prefetch(address, 1);
#endif
}

/// The ⌘ and ⌃ keys that are down, whichever threads saw them: eight bits for each of eight keyboards.
extern uint64_t keyflight_chord_keys;

static inline uint64_t keyflight_chord_keys_held(void) {
    return __atomic_load_n(&keyflight_chord_keys, __ATOMIC_ACQUIRE);
}
static inline void keyflight_chord_keys_go_down(uint64_t keys) {
    __atomic_fetch_or(&keyflight_chord_keys, keys, __ATOMIC_ACQ_REL);
}
static inline void keyflight_chord_keys_go_up(uint64_t keys) {
    __atomic_fetch_and(&keyflight_chord_keys, ~keys, __ATOMIC_ACQ_REL);
}
static inline void keyflight_forget_chord_keys(void) { __atomic_store_n(&keyflight_chord_keys, 0, __ATOMIC_RELEASE); }

/// Wakes the flusher if it sleeps until woken; otherwise costs one exchange.
void keyflight_wake_flusher(void);
/// Wakes the flusher before its time.
void keyflight_poke_flusher(void);
/// The descriptor that wakes this process's flusher when a byte is written to it, −1 for none. Programs that are
/// started inherit it.
int keyflight_wake_descriptor(void);
/// The flusher is in another process and is woken by this descriptor. Before anything is recorded.
void keyflight_set_wake_descriptor(int descriptor);
/// Names the calling thread for tools that list the host's threads.
void keyflight_name_flusher(void);
/// Waits until the flusher is woken, at most so many milliseconds, −1 for ever. False when the pipe cannot be made.
int keyflight_wait_for_wake(int milliseconds);

/// The number of times this process and its ancestors were forked since the recorder was first used.
extern uint32_t keyflight_forks;
static inline uint32_t keyflight_forks_now(void) { return __atomic_load_n(&keyflight_forks, __ATOMIC_RELAXED); }

/// Locks that are held through every fork, in the order of their places (0…3), so that none is held in the new process
/// by a thread that is not there. A recording is off there, and its pipe is a new one.
void keyflight_hold_at_fork(pthread_mutex_t *mutex, int place);
/// Has this called in every new process before anything else happens in it. Nothing that takes a lock may be in it.
void keyflight_call_after_fork(void (*action)(void));

#endif
