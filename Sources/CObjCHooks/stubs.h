#ifndef KEYFLIGHT_STUBS_H
#define KEYFLIGHT_STUBS_H

#include <stdbool.h>
#include <stdint.h>

#include "objc_hooks.h"
#include "runtime.h"
#include "signature.h"

// How a method is replaced. A replacement is called with the method's own arguments, and these do not identify the
// method: several classes override one selector, and calls of super nest. Therefore each replaced method has an entry
// point of its own, a *stub*, that does nothing but add its number and call keyflight_enter. Stubs are compiled,
// not made: iOS allows no code to be made while a program runs, and a table of C functions works everywhere.
//
// A stub passes on 8 words without knowing what they are: on x86-64 the six registers for integers and two words of the
// caller's stack, on arm64 the eight registers x0 to x7. All of that may be read whatever the method is, and what is no
// argument the original ignores. Floating-point registers, the register for large results and further
// words of the stack are not passed on: keyflight_read_signature refuses what needs them. The result comes back in one
// register.
//
// A stub is never given to another method: after the hooks are stopped, other code may still hold its address, and gets
// the original by it.

struct keyflight_slot {
    keyflight_implementation original;
    keyflight_class owner;
    /// NULL: pass through. Read and written on the observed thread alone.
    const struct keyflight_hook *hook;
    /// Of `hook`, to find calls of super.
    const void *selector_key;
    uint8_t word_count;
    /// The words of the arguments are not adjacent in the stub's words: `places` has their indexes.
    bool is_scattered;
    uint8_t places[KEYFLIGHT_STUB_ARGUMENTS];
};

#ifdef __cplusplus
extern "C" {
#endif

extern struct keyflight_slot keyflight_slots[KEYFLIGHT_HOOK_STUBS];
extern const keyflight_implementation keyflight_stubs[KEYFLIGHT_HOOK_STUBS];

/// The common body of all stubs: object, selector, six more words, the stub's number.
uintptr_t keyflight_enter(
    uintptr_t object, uintptr_t selector, uintptr_t w2, uintptr_t w3, uintptr_t w4, uintptr_t w5, uintptr_t w6,
    uintptr_t w7, uintptr_t number);

/// Makes the calling thread the observed one. Handlers are called for activations that begin after this and before the
/// end.
void keyflight_begin_activations(void);
void keyflight_end_activations(void);

#ifdef __cplusplus
}
#endif

#endif
