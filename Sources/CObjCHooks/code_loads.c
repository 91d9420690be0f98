#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "runtime.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static uint32_t loads;

static void count_load(void) { __atomic_fetch_add(&loads, 1, __ATOMIC_RELEASE); }

uint32_t keyflight_code_loads(void) { return __atomic_load_n(&loads, __ATOMIC_ACQUIRE); }

#if defined(__APPLE__)

static void image_added(const void *header, intptr_t slide) {
    (void)header;
    (void)slide;
    count_load();
}

void keyflight_watch_code_loads(void) {
    static bool is_watching = false;
    if (is_watching) return;
    is_watching = true;
    void (*watch)(void (*)(const void *, intptr_t));
    void *symbol = dlsym(RTLD_DEFAULT, "_dyld_register_func_for_add_image");
    memcpy(&watch, &symbol, sizeof symbol);
    if (watch != NULL) watch(image_added);
}

#else

void keyflight_watch_code_loads(void) {}

/// Every module compiled by GCC registers its classes and categories here. It is interposed, because the one callback
/// that the runtime has (`_objc_load_callback`) is taken by GNUstep whenever it loads a bundle. Counts when they are
/// there.
void __objc_exec_class(void *module) {
    static void (*next)(void *);
    if (next == NULL) {
        void *symbol = dlsym(RTLD_NEXT, "__objc_exec_class");
        memcpy(&next, &symbol, sizeof symbol);
    }
    if (next != NULL) next(module);
    count_load();
}

#endif
