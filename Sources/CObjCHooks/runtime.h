#ifndef KEYFLIGHT_RUNTIME_H
#define KEYFLIGHT_RUNTIME_H

#include "objc_messages.h"

// The Objective-C runtime of this process, found by dlsym, so that nothing of it is needed to build or to load.

typedef void (*keyflight_implementation)(void);

struct keyflight_runtime {
    /// GCC's, where dispatch tables are caches that have to be renewed by hand. Otherwise Apple's.
    bool is_gcc;
    keyflight_class (*object_getClass)(keyflight_object);  // NULL on GCC's, where it is a macro
    keyflight_class (*objc_lookUpClass)(const char *);
    keyflight_class (*class_getSuperclass)(keyflight_class);
    const char *(*class_getName)(keyflight_class);
    signed char (*class_respondsToSelector)(keyflight_class, keyflight_selector);
    void **(*class_copyMethodList)(keyflight_class, unsigned *);
    keyflight_selector (*method_getName)(void *);
    const char *(*method_getTypeEncoding)(void *);
    keyflight_implementation (*method_getImplementation)(void *);
    keyflight_implementation (*method_setImplementation)(void *, keyflight_implementation);
    keyflight_selector (*sel_registerName)(const char *);
    const char *(*sel_getName)(keyflight_selector);
    // GCC's only.
    int (*objc_getClassList)(keyflight_class *, int);
    keyflight_implementation (*objc_msg_lookup)(keyflight_object, keyflight_selector);
    void (*update_dispatch_table)(keyflight_class);
    // Apple's only.
    keyflight_implementation objc_msgSend;
};

#ifdef __cplusplus
extern "C" {
#endif

extern struct keyflight_runtime keyflight_runtime;

/// Fills `keyflight_runtime`. False when there is none that we know.
bool keyflight_find_runtime(void);

/// Sets a method's implementation and returns the one before. On GCC's runtime nothing changes for callers until the
/// dispatch tables of the class are renewed.
keyflight_implementation keyflight_set_implementation(void *method, keyflight_implementation implementation);

/// Count of loads of code with classes or categories, since this library began to watch. Any thread.
uint32_t keyflight_code_loads(void);
void keyflight_watch_code_loads(void);

#ifdef __cplusplus
}
#endif

#endif
