#ifndef KEYFLIGHT_CLASS_SET_H
#define KEYFLIGHT_CLASS_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "objc_messages.h"

/// Classes by address and name: where a class was disposed of, another may have its address. All zero is the empty set.
struct keyflight_class_set {
    struct keyflight_class_set_entry *entries;
    size_t count, capacity;
};

bool keyflight_class_set_contains(const struct keyflight_class_set *set, keyflight_class type);
/// False without memory for it.
bool keyflight_class_set_insert(struct keyflight_class_set *set, keyflight_class type);
void keyflight_class_set_clear(struct keyflight_class_set *set);

#endif
