#include "stubs.h"

// 1,024 times the same function, but for its number. Two macros that do the same, as none is expanded inside itself.
#define STUB(n)                                                                                                       \
    static uintptr_t stub_##n(                                                                                        \
        uintptr_t object, uintptr_t selector, uintptr_t w2, uintptr_t w3, uintptr_t w4, uintptr_t w5, uintptr_t w6,   \
        uintptr_t w7) {                                                                                               \
        return keyflight_enter(object, selector, w2, w3, w4, w5, w6, w7, 0x##n);                                      \
    }
#define ADDRESS(n) (keyflight_implementation) stub_##n,

#define TIMES_16(of, n)                                                                                               \
    of(n##0) of(n##1) of(n##2) of(n##3) of(n##4) of(n##5) of(n##6) of(n##7)                                           \
    of(n##8) of(n##9) of(n##a) of(n##b) of(n##c) of(n##d) of(n##e) of(n##f)
#define TIMES_256(of, n)                                                                                              \
    of(n##0) of(n##1) of(n##2) of(n##3) of(n##4) of(n##5) of(n##6) of(n##7)                                           \
    of(n##8) of(n##9) of(n##a) of(n##b) of(n##c) of(n##d) of(n##e) of(n##f)
#define STUBS_16(n) TIMES_16(STUB, n)
#define ADDRESSES_16(n) TIMES_16(ADDRESS, n)

TIMES_256(STUBS_16, 0)
TIMES_256(STUBS_16, 1)
TIMES_256(STUBS_16, 2)
TIMES_256(STUBS_16, 3)

struct keyflight_slot keyflight_slots[KEYFLIGHT_HOOK_STUBS];
const keyflight_implementation keyflight_stubs[KEYFLIGHT_HOOK_STUBS] = {
    TIMES_256(ADDRESSES_16, 0) TIMES_256(ADDRESSES_16, 1) TIMES_256(ADDRESSES_16, 2) TIMES_256(ADDRESSES_16, 3)};
