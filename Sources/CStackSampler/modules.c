#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "modules.h"

#if defined(__linux__) && defined(__x86_64__) && defined(__GLIBC__)

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

enum { MODULES = 512 };
static struct unwind_module modules[MODULES];
static int module_count;
static unsigned long long adds = ~0ull, subs;

static int by_start(const void *one, const void *other) {
    const struct unwind_module *a = one, *b = other;
    return a->start < b->start ? -1 : a->start > b->start;
}

static void read_build_id(struct unwind_module *module, const uint8_t *notes, size_t size) {
    for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= size;) {
        Elf64_Nhdr note;
        memcpy(&note, notes + at, sizeof note);
        const size_t name = at + sizeof note, content = name + ((note.n_namesz + 3u) & ~3u);
        const size_t next = content + ((note.n_descsz + 3u) & ~3u);
        if (next > size) return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0) {
            module->build_id_length = (uint8_t)(note.n_descsz < UNWIND_BUILD_ID ? note.n_descsz : UNWIND_BUILD_ID);
            memcpy(module->build_id, notes + content, module->build_id_length);
            return;
        }
        at = next;
    }
}

static void add(const struct dl_phdr_info *info) {
    const uint8_t *header = NULL;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_GNU_EH_FRAME) header = (const uint8_t *)(info->dlpi_addr + segment->p_vaddr);
    }
    for (int i = 0; i < info->dlpi_phnum && module_count < MODULES; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
        struct unwind_module *module = &modules[module_count++];
        memset(module, 0, sizeof *module);
        module->start = info->dlpi_addr + segment->p_vaddr;
        module->end = module->start + segment->p_memsz;
        module->base = info->dlpi_addr;
        module->header = header;
        strncpy(module->path, info->dlpi_name, sizeof module->path - 1);
        for (int n = 0; n < info->dlpi_phnum; n++) {
            const ElfW(Phdr) *notes = &info->dlpi_phdr[n];
            if (notes->p_type != PT_NOTE || module->build_id_length != 0) continue;
            read_build_id(module, (const uint8_t *)(info->dlpi_addr + notes->p_vaddr), notes->p_memsz);
        }
    }
}

struct refreshing { bool is_first, has_unloaded; };

static int refresh(struct dl_phdr_info *info, size_t size, void *state) {
    (void)size;
    struct refreshing *refreshing = state;
    if (refreshing->is_first) {
        refreshing->is_first = false;
        refreshing->has_unloaded = info->dlpi_subs != subs;
        module_count = 0;
        adds = info->dlpi_adds;
        subs = info->dlpi_subs;
    }
    add(info);
    return 0;
}

bool modules_are_current(const struct dl_phdr_info *info) { return info->dlpi_adds == adds && info->dlpi_subs == subs; }

bool modules_refresh(void) {
    struct refreshing refreshing = {true, false};
    dl_iterate_phdr(refresh, &refreshing);
    qsort(modules, (size_t)module_count, sizeof *modules, by_start);
    return refreshing.has_unloaded;
}

const struct unwind_module *unwind_module_of(uint64_t address) {
    int low = 0, high = module_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (modules[middle].end <= address) low = middle + 1;
        else high = middle;
    }
    return low < module_count && modules[low].start <= address ? &modules[low] : NULL;
}

#endif
