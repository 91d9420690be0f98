#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "symbols.h"

#if defined(__linux__) && defined(__x86_64__) && defined(__GLIBC__)

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// The symbols of a file, mapped as long as the process lives.
struct symbol_file {
    char path[UNWIND_PATH];
    const Elf64_Sym *symbols;
    size_t count;
    const char *names;
    size_t name_bytes;
};

enum { FILES = 64 };
static struct symbol_file files[FILES];
static int file_count;

static void read_symbols(struct symbol_file *file, const uint8_t *map, size_t size) {
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)map;
    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return;
    if (head->e_ident[EI_CLASS] != ELFCLASS64) return;
    if (head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shoff > size) return;
    if ((size - head->e_shoff) / sizeof(Elf64_Shdr) < head->e_shnum) return;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(map + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++) {
        const Elf64_Shdr *section = &sections[i];
        if (section->sh_type != SHT_SYMTAB || section->sh_link >= head->e_shnum) continue;
        const Elf64_Shdr *names = &sections[section->sh_link];
        if (section->sh_offset > size || section->sh_size > size - section->sh_offset) return;
        if (names->sh_offset > size || names->sh_size > size - names->sh_offset || names->sh_size == 0) return;
        if (map[names->sh_offset + names->sh_size - 1] != 0) return;
        file->symbols = (const Elf64_Sym *)(map + section->sh_offset);
        file->count = section->sh_size / sizeof(Elf64_Sym);
        file->names = (const char *)map + names->sh_offset;
        file->name_bytes = names->sh_size;
        return;
    }
}

static const struct symbol_file *file_of(const char *path) {
    for (int i = 0; i < file_count; i++) {
        if (strcmp(files[i].path, path) == 0) return &files[i];
    }
    if (file_count == FILES) return NULL;
    struct symbol_file *file = &files[file_count++];
    snprintf(file->path, sizeof file->path, "%s", path);
    const int descriptor = open(*path != 0 ? path : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (descriptor < 0) return file;
    if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
        const size_t size = (size_t)status.st_size;
        const uint8_t *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (map != MAP_FAILED) read_symbols(file, map, size);
    }
    close(descriptor);
    return file;
}

static const char *symbol_of_file(uint64_t function, const struct unwind_module *module) {
    const struct symbol_file *file = module != NULL ? file_of(module->path) : NULL;
    const uint64_t address = module != NULL ? function - module->base : 0;
    for (size_t i = 0; file != NULL && i < file->count; i++) {
        const Elf64_Sym *symbol = &file->symbols[i];
        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_name >= file->name_bytes) continue;
        if (address < symbol->st_value || address - symbol->st_value >= symbol->st_size) continue;
        return file->names + symbol->st_name;
    }
    return NULL;
}

bool symbol_name(uint64_t function, const struct unwind_module *module, char *name, size_t size) {
    Dl_info found;
    const char *symbol = dladdr((const void *)function, &found) != 0 ? found.dli_sname : NULL;
    if (symbol == NULL) symbol = symbol_of_file(function, module);
    if (symbol == NULL || *symbol == 0) return false;
    snprintf(name, size, "%s", symbol);
    char *suffix = strchr(name + 1, '.');
    if (suffix != NULL) *suffix = 0;
    return true;
}

const char *module_name(const struct unwind_module *module) {
    static char program[UNWIND_PATH];
    const char *path = module->path;
    if (*path == 0) {
        if (*program == 0 && readlink("/proc/self/exe", program, sizeof program - 1) <= 0) strcpy(program, "program");
        path = program;
    }
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool is_own_module(const struct unwind_module *module) {
    if (*module->path == 0 || strstr(module->path, ".app/") != NULL) return true;
    const bool is_system = strncmp(module->path, "/usr/", 5) == 0 || strncmp(module->path, "/lib", 4) == 0;
    // The kernel's own has a name without folders.
    return !is_system && module->path[0] == '/';
}

#endif
