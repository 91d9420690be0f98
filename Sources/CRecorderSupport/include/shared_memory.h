#ifndef KEYFLIGHT_SHARED_MEMORY_H
#define KEYFLIGHT_SHARED_MEMORY_H

#include <stddef.h>

/// A descriptor of zeroed memory without a name, in no folder, which programs that are started inherit; −1 where the
/// system gives none.
int keyflight_make_shared_memory(size_t size);

/// The memory of a descriptor, which stays open; NULL where it is smaller than `size`. In a process that is forked from
/// this one it is a copy, so that nothing done there reaches the other. One per process.
void *keyflight_map_shared_memory(int descriptor, size_t size);

/// Ends that: its place has other memory from then on, which costs nothing until it is written to. The descriptor is
/// closed.
void keyflight_unmap_shared_memory(void);

/// In a process that was forked.
void keyflight_copy_shared_memory(void);

/// 1 in a process that was forked from one that has such memory.
int keyflight_shared_memory_is_copy(void);

#endif
