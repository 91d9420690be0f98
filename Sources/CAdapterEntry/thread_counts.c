#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "adapter_entry.h"

#include <stddef.h>

#if defined(__GLIBC__)

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t), *__libc_valloc(size_t), *__libc_pvalloc(size_t);
extern void __libc_free(void *);

// Where the adapter is preloaded, these are malloc's family for the whole process, from its first allocation on: they
// use no look-up, which allocates. `free` is among them, since an allocator of the app's would be given glibc's memory.
// The loader gives each thread its counters as the thread begins: no call is needed to find them.
static __thread struct keyflight_thread_counts counts __attribute__((tls_model("initial-exec")));

static inline void count(size_t bytes) {
    if (counts.is_paused) return;
    counts.allocations++;
    counts.bytes += bytes;
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void *malloc(size_t size) {
    count(size);
    return __libc_malloc(size);
}

EXPORTED void *calloc(size_t items, size_t size) {
    count(items * size);
    return __libc_calloc(items, size);
}

EXPORTED void *realloc(void *old, size_t size) {
    count(size);
    return __libc_realloc(old, size);
}

EXPORTED void free(void *memory) { __libc_free(memory); }

EXPORTED void *memalign(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

EXPORTED int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    const int error = errno;
    void *memory = memalign(alignment, size);
    errno = error;
    if (memory == NULL) return ENOMEM;
    *result = memory;
    return 0;
}

EXPORTED void *valloc(size_t size) {
    count(size);
    return __libc_valloc(size);
}

EXPORTED void *pvalloc(size_t size) {
    count(size);
    return __libc_pvalloc(size);
}

EXPORTED size_t malloc_usable_size(void *memory) {
    // glibc's has no other name.
    static size_t (*_Atomic glibc)(void *);
    size_t (*usable)(void *) = glibc;
    if (usable == NULL) {
        void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
        void *symbol = library == NULL ? NULL : dlsym(library, "malloc_usable_size");
        memcpy(&usable, &symbol, sizeof symbol);
        glibc = usable;
    }
    return usable == NULL ? 0 : usable(memory);
}

struct keyflight_thread_counts *keyflight_thread_counts(void) {
    // A program may have an allocator of its own, which goes before all libraries.
    void *(*volatile allocate)(size_t) = malloc;
    const uint64_t before = counts.allocations;
    free(allocate(1));
    return counts.allocations == before ? NULL : &counts;
}

#else

struct keyflight_thread_counts *keyflight_thread_counts(void) { return NULL; }

#endif
