#ifndef KEYFLIGHT_STUBS_H
#define KEYFLIGHT_STUBS_H

#include <stdbool.h>
#include <stdint.h>

#include "objc_hooks.h"
#include "runtime.h"
#include "signature.h"

// How a method is replaced. A replacement is called like the method, so it cannot be told by its arguments which method
// it stands for: several classes override one selector, and calls of super nest. Therefore each replaced method has an
// entry point of its own, a *stub*, that does nothing but add its number and call keyflight_enter. Stubs are compiled, not
// made: iOS allows no code to be made while a program runs, and a table of C functions works everywhere.
//
// A stub passes on 8 words without knowing what they are: on x86-64 the six registers for integers and two words of the
// caller's stack, on arm64 the eight registers x0 to x7. All of that may be read whatever the method is, and what is no
// argument is rubbish to the original as well. Floating-point registers, the register for large results and further words
// of the stack are not passed on: keyflight_read_signature refuses what needs them. The result comes back in one register.
//
// A stub belongs to its method for ever. When the hooks are stopped, somebody may have kept its address, and it goes on
// calling the original.

struct keyflight_slot {
    keyflight_implementation original;
    keyflight_class owner;
    /// NULL: pass through. Read and written on the observed thread alone.
    const struct keyflight_hook *hook;
    /// Of `hook`, to find calls of super.
    const void *selector_key;
    uint8_t word_count;
    /// The arguments are not one after another: `places` has where their words are.
    bool is_scattered;
    uint8_t places[KEYFLIGHT_STUB_ARGUMENTS];
};

#ifdef __cplusplus
extern "C" {
#endif

extern struct keyflight_slot keyflight_slots[KEYFLIGHT_HOOK_STUBS];
extern const keyflight_implementation keyflight_stubs[KEYFLIGHT_HOOK_STUBS];

/// What all stubs call: object, selector, six more words, the stub's number.
uintptr_t keyflight_enter(
    uintptr_t object, uintptr_t selector, uintptr_t w2, uintptr_t w3, uintptr_t w4, uintptr_t w5, uintptr_t w6,
    uintptr_t w7, uintptr_t number);

/// From now on only calls on the calling thread, and of activations that began after this, have handlers called.
void keyflight_begin_activations(void);
void keyflight_end_activations(void);
/// Whether the calling thread is the observed one.
bool keyflight_is_observed_thread(void);

#ifdef __cplusplus
}
#endif

#endif
