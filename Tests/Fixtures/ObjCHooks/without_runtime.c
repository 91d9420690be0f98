// A program without Objective-C: nothing to replace, and nothing that fails.
#include <stdio.h>

#include "objc_hooks.h"

int main(void) {
    static const struct keyflight_hook hooks[] = {{"keyDown:", "v@:@", NULL, NULL, NULL, NULL}};
    enum keyflight_hook_status status = keyflight_hooks_start(hooks, 1);
    if (status != KEYFLIGHT_HOOK_NO_RUNTIME) {
        printf("without-runtime: FAILED: %s\n", keyflight_hook_status_text(status));
        return 1;
    }
    printf("without-runtime: ok\n");
    return 0;
}
