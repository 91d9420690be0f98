#include "allocation_count.h"

#if defined(__linux__)
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic uint64_t count;
/* While timings are taken nothing is counted: an atomic addition is a third of an allocation. */
static _Atomic bool is_counting;

static void note(void) {
    if (atomic_load_explicit(&is_counting, memory_order_relaxed))
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
    note();
    return __libc_calloc(items, size);
}

void *realloc(void *old, size_t size) {
    note();
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    note();
    void *memory = __libc_memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *result = memory;
    return 0;
}

void keyflight_allocation_count_begin(void) {
    atomic_store_explicit(&count, 0, memory_order_relaxed);
    atomic_store_explicit(&is_counting, true, memory_order_relaxed);
}

uint64_t keyflight_allocation_count_end(void) {
    atomic_store_explicit(&is_counting, false, memory_order_relaxed);
    return atomic_load_explicit(&count, memory_order_relaxed);
}
#else
void keyflight_allocation_count_begin(void) {}
uint64_t keyflight_allocation_count_end(void) { return 0; }
#endif
