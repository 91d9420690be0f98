// What CObjCHooks uses of Apple's <string.h>. See Scripts/real-apps.
#pragma once
#include <stddef.h>
void *memchr(const void *bytes, int byte, size_t count);
int memcmp(const void *first, const void *second, size_t count);
void *memcpy(void *to, const void *from, size_t count);
void *memset(void *to, int byte, size_t count);
char *strchr(const char *text, int character);
int strcmp(const char *first, const char *second);
size_t strlen(const char *text);
