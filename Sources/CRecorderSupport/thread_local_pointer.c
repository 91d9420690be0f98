#include "thread_local_pointer.h"

#include <pthread.h>

_Thread_local void *keyflight_thread_slot KEYFLIGHT_TLS_MODEL = NULL;

static pthread_key_t exit_key;
static pthread_once_t exit_key_once = PTHREAD_ONCE_INIT;
static void (*exit_action)(void *);

static void at_thread_exit(void *pointer) {
    keyflight_thread_slot = NULL;
    if (exit_action != NULL) exit_action(pointer);
}

static void make_exit_key(void) { pthread_key_create(&exit_key, at_thread_exit); }

void keyflight_set_thread_pointer(void *pointer, void (*at_exit)(void *)) {
    if (exit_action == NULL) exit_action = at_exit;
    pthread_once(&exit_key_once, make_exit_key);
    pthread_setspecific(exit_key, pointer);
    keyflight_thread_slot = pointer;
}
