// What CObjCHooks uses of Apple's <dlfcn.h>. See Scripts/real-apps.
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#define RTLD_DEFAULT ((void *)-2)
void *dlsym(void *handle, const char *symbol);
typedef struct {
    const char *dli_fname;
    void *dli_fbase;
    const char *dli_sname;
    void *dli_saddr;
} Dl_info;
int dladdr(const void *address, Dl_info *info);
#ifdef __cplusplus
}
#endif
