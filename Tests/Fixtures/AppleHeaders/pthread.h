// What CObjCHooks uses of Apple's <pthread.h>. See Scripts/real-apps.
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
typedef struct _opaque_pthread_t *pthread_t;
pthread_t pthread_self(void);
int pthread_equal(pthread_t first, pthread_t second);
#ifdef __cplusplus
}
#endif
