#ifndef KEYFLIGHT_THREAD_LOCAL_POINTER_H
#define KEYFLIGHT_THREAD_LOCAL_POINTER_H

#include <stddef.h>

// In the initial-exec model a thread's pointer is one load away, in a dynamic library too.
#if defined(__ELF__)
#define KEYFLIGHT_TLS_MODEL __attribute__((tls_model("initial-exec")))
#else
#define KEYFLIGHT_TLS_MODEL
#endif

extern _Thread_local void *keyflight_thread_slot KEYFLIGHT_TLS_MODEL;

/// The pointer of the calling thread, null until it was set.
static inline void *keyflight_thread_pointer(void) { return keyflight_thread_slot; }

/// Sets the pointer of the calling thread; `at_exit` gets it when the thread ends. Callers hold one lock and pass the
/// same function every time.
void keyflight_set_thread_pointer(void *pointer, void (*at_exit)(void *));

#endif
