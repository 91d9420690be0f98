// Preloaded into an app of GNUstep: on SIGUSR2 it writes the addresses of its methods for keys to METHODS, for a
// debugger that cannot ask the runtime itself; with ALL_METHODS those of all methods, with their places.
#include <objc/runtime.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Selectors of what the adapter observes, with the class that has them or whose subclasses have.
static const char *const wanted[][2] = {
    {"sendEvent:", "NSApplication"}, {"performKeyEquivalent:", NULL}, {"keyDown:", "NSResponder"},
    {"interpretKeyEvents:", "NSResponder"}, {"doCommandBySelector:", "NSResponder"}, {"insertText:", "NSResponder"},
    {"performActionForItemAtIndex:", "NSMenu"}, {"sendAction:to:from:", "NSApplication"},
};

static BOOL derives(Class class, const char *ancestor) {
    while (class != Nil && ancestor != NULL && strcmp(class_getName(class), ancestor) != 0) {
        class = class_getSuperclass(class);
    }
    return class != Nil;
}

static void write_methods(int number) {
    FILE *file = fopen(getenv("METHODS"), "w");
    const BOOL takesAll = getenv("ALL_METHODS") != NULL;
    const int count = objc_getClassList(NULL, 0);
    Class *classes = malloc((size_t)count * sizeof *classes);
    objc_getClassList(classes, count);
    for (int each = 0; each < count; each++) {
        Method *methods = class_copyMethodList(classes[each], NULL);
        for (Method *method = methods; method != NULL && *method != NULL; method++) {
            if (takesAll) {
                fprintf(file, "%p %p\n", (void *)*method, (void *)method_getImplementation(*method));
                continue;
            }
            for (size_t row = 0; row < sizeof wanted / sizeof *wanted; row++) {
                const char *selector = sel_getName(method_getName(*method));
                if (strcmp(selector, wanted[row][0]) != 0 || !derives(classes[each], wanted[row][1])) continue;
                fprintf(file, "%s %p\n", selector, (void *)method_getImplementation(*method));
            }
        }
    }
    fprintf(file, "end\n");
    fclose(file);
}

__attribute__((constructor)) static void begin(void) { signal(SIGUSR2, write_methods); }
