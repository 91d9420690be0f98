// What CObjCHooks and CAdapterEntry use of Apple's <pthread.h>. See Scripts/real-apps.
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
typedef struct _opaque_pthread_t *pthread_t;
typedef struct _opaque_pthread_attr_t *pthread_attr_t;
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int pthread_detach(pthread_t thread);
#ifdef __cplusplus
}
#endif
