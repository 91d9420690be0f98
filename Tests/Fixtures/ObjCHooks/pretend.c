#include "runtime.h"

void pretend_apple_runtime(void);
void pretend_apple_runtime(void) { keyflight_runtime.is_gcc = false; }
