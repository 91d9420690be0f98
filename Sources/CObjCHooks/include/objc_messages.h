#ifndef KEYFLIGHT_OBJC_MESSAGES_H
#define KEYFLIGHT_OBJC_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Access to objects for handlers: classes, selectors, messages, of a runtime found while the process runs.
// Valid after keyflight_hooks_start returned KEYFLIGHT_HOOK_OK. Nothing here retains or releases. Any thread.

#ifdef __cplusplus
extern "C" {
#endif

/// `id`, `Class` and `SEL`, for compilers that do not know Objective-C.
typedef void *keyflight_object;
typedef void *keyflight_class;
typedef const void *keyflight_selector;

/// The class that the runtime uses for the object, which key-value observing may have made: such a class names another
/// one if it is sent `class`. NULL for NULL.
keyflight_class keyflight_class_of(keyflight_object object);
keyflight_class keyflight_superclass(keyflight_class type);
const char *keyflight_class_name(keyflight_class type);
/// NULL when there is none. Apple's runtime prepares the class for use by this: name only classes that are in use.
keyflight_class keyflight_class_named(const char *name);
/// The path of the library that the class is in; NULL where that is not known.
const char *keyflight_class_library(keyflight_class type);
/// True if the class is `ancestor` or a subclass of it.
bool keyflight_class_descends(keyflight_class type, keyflight_class ancestor);

keyflight_selector keyflight_selector_named(const char *name);
const char *keyflight_selector_name(keyflight_selector selector);
/// A pointer that all selectors of one name share, for as long as the process runs. Selectors themselves do not: GCC's
/// runtime has one for each type encoding.
const void *keyflight_selector_key(keyflight_selector selector);

/// True if the object's class has an instance method for the selector. The class may be asked to resolve it
/// (`resolveInstanceMethod:`).
bool keyflight_responds(keyflight_object object, keyflight_selector selector);

/// Sends a message of up to two arguments, words each, whose result is nothing or a word. An exception that it throws
/// ends here: returns false, and leaves `result` as it was. `result` may be NULL. A message to NULL gives 0.
bool keyflight_send(
    keyflight_object object, keyflight_selector selector, uintptr_t first, uintptr_t second, uintptr_t *result);
/// The same for a message of up to eight words and four doubles, each in the order of the method's arguments; a struct
/// of doubles counts as its members. Words beyond the registers go as whole words, which Apple's arm64 does not do.
bool keyflight_send_mixed(
    keyflight_object object, keyflight_selector selector, const uintptr_t *words, size_t word_count,
    const double *doubles, size_t double_count, uintptr_t *result);
/// The same for a message without arguments whose result is a double.
bool keyflight_send_double(keyflight_object object, keyflight_selector selector, double *result);

#ifdef __cplusplus
}
#endif

#endif
