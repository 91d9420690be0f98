#include "class_set.h"

#include <stdint.h>
#include <stdlib.h>

struct keyflight_class_set_entry {
    keyflight_class type;
    uint64_t name_hash;
};

/// FNV-1a of the class's name.
static uint64_t hash_of_name(keyflight_class type) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *at = keyflight_class_name(type); *at != 0; at++) {
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    }
    return hash;
}

/// The entry of the class, or the free one where it belongs. The capacity is a power of two, and an entry is free.
static struct keyflight_class_set_entry *place(
    struct keyflight_class_set_entry *entries, size_t capacity, keyflight_class type) {
    size_t index = (size_t)(((uintptr_t)type >> 4) * 0x9e3779b97f4a7c15u >> 20);
    while (entries[index & (capacity - 1)].type != NULL && entries[index & (capacity - 1)].type != type) index++;
    return &entries[index & (capacity - 1)];
}

bool keyflight_class_set_contains(const struct keyflight_class_set *set, keyflight_class type) {
    if (set->capacity == 0) return false;
    const struct keyflight_class_set_entry *entry = place(set->entries, set->capacity, type);
    return entry->type != NULL && entry->name_hash == hash_of_name(type);
}

bool keyflight_class_set_insert(struct keyflight_class_set *set, keyflight_class type) {
    if (set->count * 2 >= set->capacity) {
        size_t capacity = set->capacity == 0 ? 256 : set->capacity * 2;
        struct keyflight_class_set_entry *entries = calloc(capacity, sizeof *entries);
        if (entries == NULL) return false;
        for (size_t index = 0; index < set->capacity; index++) {
            if (set->entries[index].type == NULL) continue;
            *place(entries, capacity, set->entries[index].type) = set->entries[index];
        }
        free(set->entries);
        set->entries = entries;
        set->capacity = capacity;
    }
    struct keyflight_class_set_entry *entry = place(set->entries, set->capacity, type);
    if (entry->type == NULL) set->count++;
    *entry = (struct keyflight_class_set_entry){type, hash_of_name(type)};
    return true;
}

void keyflight_class_set_clear(struct keyflight_class_set *set) {
    free(set->entries);
    *set = (struct keyflight_class_set){0};
}
