#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "shared_memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void *mapped;
static size_t mapped_size;
static int mapped_descriptor = -1;
static int is_copy;
// The place of a memory that was left. A thread that had a buffer in it still knows its address.
static void *vacant;

int keyflight_make_shared_memory(size_t size) {
#if defined(__linux__)
    // Seen in the maps of the processes that have it.
    char label[32];
    snprintf(label, sizeof label, "keyflight-%d", (int)getpid());
    int descriptor = memfd_create(label, 0);
#else
    char name[32];
    snprintf(name, sizeof name, "/keyflight-%d", (int)getpid());
    int descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (descriptor >= 0) {
        shm_unlink(name);
        fcntl(descriptor, F_SETFD, 0);
    }
#endif
    if (descriptor >= 0 && ftruncate(descriptor, (off_t)size) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

void *keyflight_map_shared_memory(int descriptor, size_t size) {
    struct stat state;
    if (fstat(descriptor, &state) != 0 || state.st_size < (off_t)size) return NULL;
    const int place = vacant != NULL && size == mapped_size ? MAP_FIXED : 0;
    void *memory = mmap(place ? vacant : NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | place, descriptor, 0);
    if (memory == MAP_FAILED) return NULL;
    vacant = NULL;
#if defined(__linux__)
    madvise(memory, size, MADV_DONTDUMP);
#endif
    mapped = memory;
    mapped_size = size;
    mapped_descriptor = descriptor;
    return memory;
}

void keyflight_copy_shared_memory(void) {
    if (mapped == NULL) return;
    is_copy = 1;
    mmap(mapped, mapped_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, mapped_descriptor, 0);
}

void keyflight_unmap_shared_memory(void) {
    if (mapped == NULL) return;
    mmap(mapped, mapped_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE | MAP_FIXED, -1, 0);
    close(mapped_descriptor);
    vacant = mapped;
    mapped = NULL;
    is_copy = 0;
}

int keyflight_shared_memory_is_copy(void) { return is_copy; }
