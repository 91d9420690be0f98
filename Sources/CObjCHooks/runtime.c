#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "runtime.h"

#include <dlfcn.h>
#include <string.h>

struct keyflight_runtime keyflight_runtime;

static bool find(void *function, const char *name) {
    void *symbol = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

bool keyflight_find_runtime(void) {
    struct keyflight_runtime *r = &keyflight_runtime;
    if (r->class_getName != NULL) return true;
    struct keyflight_runtime found;
    memset(&found, 0, sizeof found);
    found.is_gcc = find(&found.update_dispatch_table, "__objc_update_dispatch_table_for_class");
    bool is_whole = find(&found.objc_lookUpClass, "objc_lookUpClass");
    is_whole &= find(&found.class_getSuperclass, "class_getSuperclass");
    is_whole &= find(&found.class_getName, "class_getName");
    is_whole &= find(&found.class_respondsToSelector, "class_respondsToSelector");
    is_whole &= find(&found.class_copyMethodList, "class_copyMethodList");
    is_whole &= find(&found.method_getName, "method_getName");
    is_whole &= find(&found.method_getTypeEncoding, "method_getTypeEncoding");
    is_whole &= find(&found.method_getImplementation, "method_getImplementation");
    is_whole &= find(&found.method_setImplementation, "method_setImplementation");
    is_whole &= find(&found.sel_registerName, "sel_registerName");
    is_whole &= find(&found.sel_getName, "sel_getName");
    if (found.is_gcc) {
        is_whole &= find(&found.objc_getClassList, "objc_getClassList");
        is_whole &= find(&found.objc_msg_lookup, "objc_msg_lookup");
    } else {
        is_whole &= find(&found.object_getClass, "object_getClass");
        is_whole &= find(&found.objc_msgSend, "objc_msgSend");
    }
    if (is_whole) *r = found;
    return is_whole;
}

keyflight_implementation keyflight_set_implementation(void *method, keyflight_implementation implementation) {
    if (!keyflight_runtime.is_gcc) return keyflight_runtime.method_setImplementation(method, implementation);
    // GCC's own function crashes for a class that has had no message yet, and forgets subclasses.
    struct gcc_method {
        keyflight_selector name;
        const char *types;
        keyflight_implementation implementation;
    };
    return __atomic_exchange_n(&((struct gcc_method *)method)->implementation, implementation, __ATOMIC_ACQ_REL);
}

keyflight_class keyflight_class_of(keyflight_object object) {
    if (object == NULL) return NULL;
    if (keyflight_runtime.is_gcc) return *(keyflight_class *)object;
    return keyflight_runtime.object_getClass(object);
}

keyflight_class keyflight_superclass(keyflight_class type) { return keyflight_runtime.class_getSuperclass(type); }
const char *keyflight_class_name(keyflight_class type) { return keyflight_runtime.class_getName(type); }
keyflight_class keyflight_class_named(const char *name) { return keyflight_runtime.objc_lookUpClass(name); }

const char *keyflight_class_library(keyflight_class type) {
    Dl_info found;
    return type != NULL && dladdr(type, &found) != 0 ? found.dli_fname : NULL;
}

bool keyflight_class_descends(keyflight_class type, keyflight_class ancestor) {
    while (type != NULL && type != ancestor) type = keyflight_runtime.class_getSuperclass(type);
    return type != NULL;
}

keyflight_selector keyflight_selector_named(const char *name) { return keyflight_runtime.sel_registerName(name); }
const char *keyflight_selector_name(keyflight_selector selector) { return keyflight_runtime.sel_getName(selector); }

const void *keyflight_selector_key(keyflight_selector selector) {
    // GCC's SEL is a pointer to {identity, types}.
    if (selector == 0 || !keyflight_runtime.is_gcc) return selector;
    return *(const void *const *)selector;
}

bool keyflight_responds(keyflight_object object, keyflight_selector selector) {
    return object != NULL && keyflight_runtime.class_respondsToSelector(keyflight_class_of(object), selector) != 0;
}
