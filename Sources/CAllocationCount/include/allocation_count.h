#ifndef KEYFLIGHT_ALLOCATION_COUNT_H
#define KEYFLIGHT_ALLOCATION_COUNT_H

#include <stdint.h>

/// Begins to count the heap allocations of this process. Linking this target replaces malloc, calloc, realloc,
/// posix_memalign and aligned_alloc by ones that can count.
void keyflight_allocation_count_begin(void);

/// Heap allocations since `keyflight_allocation_count_begin`, which are counted no longer.
uint64_t keyflight_allocation_count_end(void);

#endif
