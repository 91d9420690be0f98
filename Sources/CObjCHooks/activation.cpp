#include "stubs.h"

// The one file in C++: a C compiler makes no cleanup for exceptions unless every user of the package passes an option
// for it, a C++ compiler always does. Nothing of the C++ library is used but what unwinds the stack.

namespace {

using Activation = keyflight_activation;
// Handlers do not throw: declared here, so that no call of std::terminate is compiled in.
using Handler = void (*)(Activation *) noexcept;
using Method = uintptr_t (*)(
    uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

// In the initial-exec model it is one load away, in a dynamic library too.
#if defined(__ELF__)
__attribute__((tls_model("initial-exec")))
#endif
thread_local bool is_observed_thread = false;

// Of the observed thread, and touched by no other.
Activation *innermost = nullptr;
bool is_in_handler = false;
uint32_t epoch = 0;

uint64_t off_thread_calls = 0;

void call(keyflight_hook_handler handler, Activation *activation) {
    if (handler == nullptr) return;
    is_in_handler = true;
    reinterpret_cast<Handler>(handler)(activation);
    is_in_handler = false;
}

/// True if a call that begins is one of super: the innermost activation of the same object and selector runs a method
/// of a subclass of `owner`, and the object is still of that subclass. A message sent anew finds the method of that
/// subclass or of one below, never one above; so this takes neither recursion for super, nor another object at an
/// address that was freed meanwhile. Key-value observing may change the object's class in between: to a subclass, or
/// back.
bool is_super(const keyflight_slot *slot, keyflight_object object) {
    for (const Activation *outer = innermost; outer != nullptr; outer = outer->outer) {
        if (outer->object != object) continue;
        if (keyflight_selector_key(outer->selector) != slot->selector_key) continue;
        return outer->owner != slot->owner && keyflight_class_descends(outer->owner, slot->owner) &&
               keyflight_class_descends(keyflight_class_of(object), outer->owner);
    }
    return false;
}

/// An activation on the stack of its call. The destructor runs when the method returns and when an exception passes.
struct Frame {
    Activation activation;
    uint32_t began_in;

    ~Frame() noexcept {
        if (began_in == epoch) call(activation.hook->after, &activation);
        innermost = activation.outer;
    }
};

}  // namespace

extern "C" uintptr_t keyflight_enter(
    uintptr_t object, uintptr_t selector, uintptr_t w2, uintptr_t w3, uintptr_t w4, uintptr_t w5, uintptr_t w6,
    uintptr_t w7, uintptr_t number) {
    keyflight_slot *slot = &keyflight_slots[number];
    const Method original = reinterpret_cast<Method>(__atomic_load_n(&slot->original, __ATOMIC_ACQUIRE));
    if (!is_observed_thread) {
        __atomic_fetch_add(&off_thread_calls, 1, __ATOMIC_RELAXED);
        return original(object, selector, w2, w3, w4, w5, w6, w7);
    }
    const keyflight_hook *hook = slot->hook;
    if (hook == nullptr || is_in_handler) return original(object, selector, w2, w3, w4, w5, w6, w7);

    uintptr_t words[KEYFLIGHT_STUB_WORDS] = {object, selector, w2, w3, w4, w5, w6, w7};
    uintptr_t gathered[KEYFLIGHT_STUB_ARGUMENTS];
    const uintptr_t *arguments = words + 2;
    if (slot->is_scattered) {
        for (unsigned word = 0; word < slot->word_count; word++) gathered[word] = words[slot->places[word]];
        arguments = gathered;
    }
    const auto self = reinterpret_cast<keyflight_object>(object);
    Frame frame = {
        {innermost, hook, self, reinterpret_cast<keyflight_selector>(selector), slot->owner, arguments, 0,
         innermost == nullptr ? 0 : innermost->depth + 1, is_super(slot, self), true, {0, 0}},
        epoch};
    innermost = &frame.activation;
    call(hook->before, &frame.activation);
    const uintptr_t result = original(object, selector, w2, w3, w4, w5, w6, w7);
    frame.activation.result = result;
    frame.activation.is_unwound = false;
    return result;
}

extern "C" bool keyflight_hooks_on_observed_thread(void) { return is_observed_thread; }

extern "C" void keyflight_begin_activations(void) {
    is_observed_thread = true;
    epoch++;
}

extern "C" void keyflight_end_activations(void) { epoch++; }

extern "C" struct keyflight_activation *keyflight_hooks_current(void) {
    return keyflight_hooks_on_observed_thread() ? innermost : nullptr;
}

extern "C" uint64_t keyflight_hooks_off_thread_calls(void) {
    return __atomic_load_n(&off_thread_calls, __ATOMIC_RELAXED);
}

// Messages, in this file because they catch.

namespace {

keyflight_implementation sender(keyflight_object object, keyflight_selector selector) {
    if (!keyflight_runtime.is_gcc) return keyflight_runtime.objc_msgSend;
    return keyflight_runtime.objc_msg_lookup(object, selector);
}

}  // namespace

extern "C" bool keyflight_send(
    keyflight_object object, keyflight_selector selector, uintptr_t first, uintptr_t second, uintptr_t *result) {
    using Message = uintptr_t (*)(keyflight_object, keyflight_selector, uintptr_t, uintptr_t);
    uintptr_t answer = 0;
    try {
        if (object != nullptr) {
            answer = reinterpret_cast<Message>(sender(object, selector))(object, selector, first, second);
        }
    } catch (...) {
        return false;
    }
    if (result != nullptr) *result = answer;
    return true;
}

extern "C" bool keyflight_send_mixed(
    keyflight_object object, keyflight_selector selector, const uintptr_t *words, size_t word_count,
    const double *doubles, size_t double_count, uintptr_t *result) {
    // Words and doubles have registers of their own, so that their order among each other does not matter.
    using Message = uintptr_t (*)(
        keyflight_object, keyflight_selector, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
        uintptr_t, uintptr_t, double, double, double, double);
    uintptr_t w[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    double d[4] = {0, 0, 0, 0};
    for (size_t index = 0; index < word_count && index < 8; index++) w[index] = words[index];
    for (size_t index = 0; index < double_count && index < 4; index++) d[index] = doubles[index];
    uintptr_t answer = 0;
    try {
        if (object != nullptr) {
            const auto message = reinterpret_cast<Message>(sender(object, selector));
            answer = message(
                object, selector, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], d[0], d[1], d[2], d[3]);
        }
    } catch (...) {
        return false;
    }
    if (result != nullptr) *result = answer;
    return true;
}

extern "C" bool keyflight_send_double(keyflight_object object, keyflight_selector selector, double *result) {
    using Message = double (*)(keyflight_object, keyflight_selector);
    double answer = 0;
    try {
        if (object != nullptr) answer = reinterpret_cast<Message>(sender(object, selector))(object, selector);
    } catch (...) {
        return false;
    }
    if (result != nullptr) *result = answer;
    return true;
}
