#include "objc_hooks.h"
#include "stubs.h"

#if defined(__APPLE__)

bool keyflight_method_name(uintptr_t implementation, char *name, size_t size) {
    (void)implementation;
    (void)name;
    (void)size;
    return false;
}

#else

#include <stdio.h>
#include <stdlib.h>

struct named_method {
    uintptr_t implementation;
    const char *class_name, *selector;
    bool is_of_class;
};

/// By implementation. Read again after code was loaded.
static struct named_method *methods;
static size_t method_count, method_capacity;
static uint32_t read_at;
static bool was_read;

static int by_implementation(const void *one, const void *other) {
    const struct named_method *a = one, *b = other;
    return a->implementation < b->implementation ? -1 : a->implementation > b->implementation;
}

/// The implementation that a stub calls; others are their own.
static keyflight_implementation original_of(keyflight_implementation implementation) {
    // The stubs lie together: most methods are far from the first of them.
    const uintptr_t distance = (uintptr_t)implementation - (uintptr_t)keyflight_stubs[0];
    if (distance > 1 << 20 && 0 - distance > 1 << 20) return implementation;
    for (int stub = 0; stub < KEYFLIGHT_HOOK_STUBS; stub++) {
        if (keyflight_stubs[stub] != implementation) continue;
        return __atomic_load_n(&keyflight_slots[stub].original, __ATOMIC_ACQUIRE);
    }
    return implementation;
}

static bool add_methods(keyflight_class type, const char *class_name, bool is_of_class) {
    unsigned count = 0;
    void **list = keyflight_runtime.class_copyMethodList(type, &count);
    if (method_count + count > method_capacity) {
        const size_t larger = (method_count + count) * 2;
        struct named_method *moved = realloc(methods, larger * sizeof *methods);
        if (moved == NULL) {
            free(list);
            return false;
        }
        methods = moved;
        method_capacity = larger;
    }
    for (unsigned index = 0; index < count; index++) {
        const keyflight_selector selector = keyflight_runtime.method_getName(list[index]);
        const keyflight_implementation implementation =
            original_of(keyflight_runtime.method_getImplementation(list[index]));
        if (selector == NULL || implementation == NULL) continue;
        methods[method_count++] = (struct named_method){
            (uintptr_t)implementation, class_name, keyflight_runtime.sel_getName(selector), is_of_class};
    }
    free(list);
    return true;
}

static void read_methods(void) {
    read_at = keyflight_code_loads();
    was_read = true;
    method_count = 0;
    // Others may register classes in between.
    const int room = keyflight_runtime.objc_getClassList(NULL, 0) + 64;
    keyflight_class *classes = calloc((size_t)room, sizeof *classes);
    if (classes == NULL) return;
    int count = keyflight_runtime.objc_getClassList(classes, room);
    if (count > room) count = room;
    for (int index = 0; index < count; index++) {
        const char *name = keyflight_class_name(classes[index]);
        if (!add_methods(classes[index], name, false)) break;
        if (!add_methods(keyflight_class_of((keyflight_object)classes[index]), name, true)) break;
    }
    free(classes);
    qsort(methods, method_count, sizeof *methods, by_implementation);
}

bool keyflight_method_name(uintptr_t implementation, char *name, size_t size) {
    if (!keyflight_runtime.is_gcc || size == 0) return false;
    if (!was_read || read_at != keyflight_code_loads()) read_methods();
    size_t low = 0, high = method_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (methods[middle].implementation < implementation) low = middle + 1;
        else high = middle;
    }
    if (low == method_count || methods[low].implementation != implementation) return false;
    const struct named_method *method = &methods[low];
    snprintf(name, size, "%c[%s %s]", method->is_of_class ? '+' : '-', method->class_name, method->selector);
    return true;
}

#endif
