#ifndef KEYFLIGHT_SYMBOLS_H
#define KEYFLIGHT_SYMBOLS_H

#include "stack_unwinder.h"

/// Name of the function that begins at an address, by the dynamic symbols of its module and by the others that its file
/// has; without the suffixes of compilers' copies (.constprop.0). False for a function that has none.
bool symbol_name(uint64_t function, const struct unwind_module *module, char *name, size_t size);

/// The module is the app's own: its program, something beside it in its bundle, or anything outside of the system's
/// folders.
bool is_own_module(const struct unwind_module *module);

/// File name of the module, without its folders, which may have the name of a person.
const char *module_name(const struct unwind_module *module);

#endif
