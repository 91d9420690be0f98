#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "adapter_entry.h"

#include <dlfcn.h>
#include <string.h>

#if defined(__GLIBC__)

typedef int (*main_function)(int, char **, char **);
typedef int (*start_function)(
    main_function, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

/// Interposed: the classes of the program and of its libraries are registered by now, and nothing of it has run.
__attribute__((visibility("default"))) int __libc_start_main(
    main_function main, int count, char **arguments, void (*init)(void), void (*fini)(void),
    void (*loader_fini)(void), void *stack_end) {
    keyflight_adapter_begin();
    start_function next;
    void *symbol = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&next, &symbol, sizeof symbol);
    return next(main, count, arguments, init, fini, loader_fini, stack_end);
}

#else

__attribute__((constructor)) static void start_before_main(void) {
    keyflight_adapter_begin();
}

#endif
