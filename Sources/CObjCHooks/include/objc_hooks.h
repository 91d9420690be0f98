#ifndef KEYFLIGHT_OBJC_HOOKS_H
#define KEYFLIGHT_OBJC_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "objc_messages.h"

// Observes methods of a running Objective-C program: replaces their implementations by stubs, which call a handler, the
// original with the very same arguments, and a handler again. The program gets every result and every exception as it
// would without. Works on Apple's runtime and on GCC's; x86-64 and arm64.
//
//     static void pressed(struct keyflight_activation *call) { … call->object, call->arguments[0] … }
//     static const struct keyflight_hook hooks[] = {{"keyDown:", "v@:@", "NSResponder", pressed, NULL, NULL}};
//     keyflight_hooks_start(hooks, 1);      // finds the runtime; replaces nothing yet
//     keyflight_hooks_scan();               // GCC's runtime: all classes there are
//     keyflight_hooks_cover(firstResponder) // Apple's: the classes of one object
//
// Threads: the thread that calls keyflight_hooks_start is the observed one, in an app its main thread. Every call of
// this header belongs on it, where not said otherwise. Calls of replaced methods on other threads pass through without
// a handler and are counted.
//
// Limits. Calls of an implementation fetched before (methodForSelector:) are not observed. The type encoding of a
// variadic method is that of the same method without its dots: no encoding check can refuse one, so name none in a
// table. A longjmp over a replaced method is not noticed; exceptions are.

#ifdef __cplusplus
extern "C" {
#endif

/// The result of a call, or the reason why a method was not replaced.
enum keyflight_hook_status {
    KEYFLIGHT_HOOK_OK = 0,
    /// No Objective-C runtime in this process that is Apple's or GCC's.
    KEYFLIGHT_HOOK_NO_RUNTIME,
    /// A processor whose calling convention the stubs do not follow.
    KEYFLIGHT_HOOK_UNSUPPORTED_PROCESSOR,
    KEYFLIGHT_HOOK_ALREADY_STARTED,
    KEYFLIGHT_HOOK_NOT_STARTED,
    /// Called on another thread than the observed one.
    KEYFLIGHT_HOOK_WRONG_THREAD,
    /// A row without a selector, with types that no stub can pass on, or more than KEYFLIGHT_HOOKS_MAX rows.
    KEYFLIGHT_HOOK_BAD_TABLE,
    /// A scan on a runtime where access to a class that is not in use may crash the program: use keyflight_hooks_cover.
    KEYFLIGHT_HOOK_UNSAFE_SCAN,
    KEYFLIGHT_HOOK_NO_MEMORY,
    /// The method's type encoding is not the one of the row. The method is left as it is.
    KEYFLIGHT_HOOK_TYPES_DIFFER,
    /// All KEYFLIGHT_HOOK_STUBS stubs are in use. The method is left as it is.
    KEYFLIGHT_HOOK_NO_STUB,
};

/// One clause in English for messages, such as "the type encoding differs". Any thread.
const char *keyflight_hook_status_text(enum keyflight_hook_status status);

/// Rows in a table, at most.
#define KEYFLIGHT_HOOKS_MAX 64
/// Methods that can be replaced in one process.
#define KEYFLIGHT_HOOK_STUBS 1024

/// One call of a replaced method, from its `before` to its `after`. Valid in the two handlers, and until `after` as the
/// `outer` of others; nothing in it is retained.
struct keyflight_activation {
    /// The activation around this one; NULL for the outermost.
    struct keyflight_activation *outer;
    const struct keyflight_hook *hook;
    keyflight_object object;
    keyflight_selector selector;
    /// The class whose own method this is: the object's class or a superclass of it.
    keyflight_class owner;
    /// The arguments after the selector, in their order, one word each, a range two (location, length). A value
    /// narrower than a word is in the low bits, and the others are undefined.
    const uintptr_t *arguments;
    /// In `after`: the result, undefined for void and where `is_unwound`. In the low bits, as arguments are: cast a
    /// BOOL to uint8_t.
    uintptr_t result;
    /// How many activations are around this one.
    uint32_t depth;
    /// A call of `super` out of an override that is replaced as well. To count calls, count those that are not.
    bool is_super;
    /// In `after`: the method did not return but was left by an exception, which goes on.
    bool is_unwound;
    /// Free for the handlers of the row. 0 in `before`.
    uint64_t user[2];
};

/// Called on the observed thread. Replaced methods that a handler itself calls pass through unobserved. It must not
/// throw; keyflight_send and its siblings catch what a message throws.
typedef void (*keyflight_hook_handler)(struct keyflight_activation *activation);

/// One row of a table: a method to be replaced in every class that has one of its own.
struct keyflight_hook {
    const char *selector;
    /// The type encoding without offsets, result first: "v@:@". Methods of other types are refused. What counts as
    /// equal: the names of structs do not matter, nor signedness (so all forms of BOOL are "B"), nor Class against id,
    /// nor what a pointer points to. A result of "v" matches any result that fits a register. No floating-point
    /// numbers, arrays or unions; of structs those of two 64-bit integers (NSRange, "{_NSRange=QQ}"), and as arguments
    /// only. At most 6 words of arguments on x86-64 and arm64, and where a processor's convention leaves room for
    /// fewer, fewer.
    const char *types;
    /// Name of a class: only it and its subclasses. NULL: every class.
    const char *within;
    /// Either may be NULL. Each `before` is followed by its `after`, in reverse order, unless the hooks are stopped
    /// meanwhile.
    keyflight_hook_handler before, after;
    void *context;
};

/// Finds the runtime, so that objc_messages.h can be used before the start. KEYFLIGHT_HOOK_OK or
/// KEYFLIGHT_HOOK_NO_RUNTIME. Any thread.
enum keyflight_hook_status keyflight_hooks_find_runtime(void);

/// Finds the runtime and makes the calling thread the observed one. No method is replaced yet. Where several rows fit a
/// method, the first counts. The table and its strings are used until the process ends: make them static.
enum keyflight_hook_status keyflight_hooks_start(const struct keyflight_hook *hooks, size_t count);

/// Replaces the methods of all registered classes, once each; again whenever keyflight_hooks_need_scan. Single methods
/// that are refused do not make it fail: see keyflight_hooks_methods. GCC's runtime only.
enum keyflight_hook_status keyflight_hooks_scan(void);

/// True after classes or categories were loaded since the last scan, or before the first: one load and a comparison,
/// for every event. On GCC's runtime it needs this library before libobjc in the search order (linked into the program,
/// or preloaded).
bool keyflight_hooks_need_scan(void);

/// Replaces the methods of the object's class and of its superclasses: what is done for a class is not done again until
/// code is loaded. Sends no message and touches no other class. NULL does nothing. Call it at idle for each object that
/// may be asked next, such as those of the responder chain. Both runtimes.
enum keyflight_hook_status keyflight_hooks_cover(keyflight_object object);
/// The same for a class that has no object yet. On Apple's runtime only for classes that are in use.
enum keyflight_hook_status keyflight_hooks_cover_class(keyflight_class type);

/// Puts the originals back, except where other code replaced the method later: such a stub stays and passes
/// through. No handler is called any more, not even for activations under way. The process may start again, with
/// another table too; stubs in use stay with their methods.
enum keyflight_hook_status keyflight_hooks_stop(void);

/// The innermost activation, or NULL; NULL on other threads.
struct keyflight_activation *keyflight_hooks_current(void);

/// True on the observed thread. Any thread.
bool keyflight_hooks_on_observed_thread(void);

/// Calls of replaced methods that other threads made since the process began. Any thread.
uint64_t keyflight_hooks_off_thread_calls(void);

/// A method that a row fits, replaced or not.
struct keyflight_hooked_method {
    const struct keyflight_hook *hook;
    /// Valid until the process ends.
    const char *class_name;
    /// KEYFLIGHT_HOOK_OK for a replaced method, or the reason why not.
    enum keyflight_hook_status status;
};

/// Copies the first `capacity` methods found since the start, in the order in which they were, and returns how many
/// there are.
size_t keyflight_hooks_methods(struct keyflight_hooked_method *methods, size_t capacity);

/// Name of the method that is implemented here, such as `-[NSWindow close]`; of a replaced method the original's. The
/// text ends within `size`. False for other functions. GCC's runtime only; on one thread at a time, which may be any.
bool keyflight_method_name(uintptr_t implementation, char *name, size_t size);

#ifdef __cplusplus
}
#endif

#endif
