#include "objc_hooks.h"

const char *keyflight_hook_status_text(enum keyflight_hook_status status) {
    switch (status) {
        case KEYFLIGHT_HOOK_OK: return "replaced";
        case KEYFLIGHT_HOOK_NO_RUNTIME: return "the process has no Objective-C runtime of Apple's or GCC's";
        case KEYFLIGHT_HOOK_UNSUPPORTED_PROCESSOR: return "the processor is neither x86-64 nor arm64";
        case KEYFLIGHT_HOOK_ALREADY_STARTED: return "the hooks are started already";
        case KEYFLIGHT_HOOK_NOT_STARTED: return "the hooks are not started";
        case KEYFLIGHT_HOOK_WRONG_THREAD: return "the calling thread is not the observed one";
        case KEYFLIGHT_HOOK_BAD_TABLE: return "a hook has a selector or types that cannot be observed";
        case KEYFLIGHT_HOOK_UNSAFE_SCAN: return "this runtime's classes cannot be scanned safely";
        case KEYFLIGHT_HOOK_NO_MEMORY: return "memory is exhausted";
        case KEYFLIGHT_HOOK_TYPES_DIFFER: return "the type encoding differs";
        case KEYFLIGHT_HOOK_NO_STUB: return "all stubs are in use";
    }
    return "unknown status";
}
