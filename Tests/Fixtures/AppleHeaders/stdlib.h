// What CObjCHooks uses of Apple's <stdlib.h>. See Scripts/real-apps.
#pragma once
#include <stddef.h>
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *pointer, size_t size);
void free(void *pointer);
