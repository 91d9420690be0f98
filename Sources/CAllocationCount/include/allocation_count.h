#ifndef KEYFLIGHT_ALLOCATION_COUNT_H
#define KEYFLIGHT_ALLOCATION_COUNT_H

#include <stdint.h>

/// Heap allocations of this process since it started. Linking this target replaces malloc, calloc, realloc,
/// posix_memalign and aligned_alloc by counting ones.
uint64_t keyflight_allocation_count(void);

#endif
