// What CObjCHooks uses of Apple's <dlfcn.h>. See Scripts/real-apps.
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#define RTLD_DEFAULT ((void *)-2)
void *dlsym(void *handle, const char *symbol);
#ifdef __cplusplus
}
#endif
