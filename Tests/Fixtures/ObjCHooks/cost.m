// What replacing costs: nanoseconds of a call beyond the plain message, and milliseconds to scan.
#include "checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 1000000, ROUNDS = 15, CLASSES = 1000 };
/// Nanoseconds that an intercepted call may cost, what a recorder does with it included.
static const double goal = 400;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *first, const void *second) {
    double a = *(const double *)first, b = *(const double *)second;
    return (a > b) - (a < b);
}

/// Median of the rounds, nanoseconds a call.
static double time_calls(Responder *responder) {
    double rounds[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (int call = 0; call < CALLS; call++) [responder keyDown:nil];
        rounds[round] = (now() - start) / CALLS;
    }
    qsort(rounds, ROUNDS, sizeof *rounds, compare);
    return rounds[ROUNDS / 2];
}

static volatile uint64_t handled;
static void count_call(struct keyflight_activation *activation) { handled += activation->depth; }

static void nothing(id self, SEL selector, id event) {}

int measure_cost(void) {
    Responder *responder = MAKE(Responder);
    View *view = MAKE(View);
    TextView *text_view = MAKE(TextView);
    double plain[] = {time_calls(responder), time_calls(view), time_calls(text_view)};
    for (int index = 0; index < CLASSES; index++) {
        char name[32];
        snprintf(name, sizeof name, "Filler%d", index);
        Class type = objc_allocateClassPair([View class], name, 0);
        // As in an app: one class in ten has one of the methods, and all have others.
        char other[32];
        for (int method = 0; method < 20; method++) {
            snprintf(other, sizeof other, "filler%d:", method);
            class_addMethod(type, sel_registerName(other), (IMP)nothing, "v24@0:8@16");
        }
        if (index % 10 == 0) class_addMethod(type, @selector(keyDown:), (IMP)nothing, "v24@0:8@16");
        objc_registerClassPair(type);
    }
    static struct keyflight_hook hooks[25] = {{"keyDown:", "v@:@", NULL, count_call, count_call, NULL}};
    static char names[25][32];
    for (int row = 1; row < 25; row++) {
        snprintf(names[row], sizeof names[row], "unused%d:", row);
        hooks[row] = (struct keyflight_hook){names[row], "v@:@", NULL, count_call, count_call, NULL};
    }
    if (keyflight_hooks_start(hooks, 25) != KEYFLIGHT_HOOK_OK) return 1;
    double start = now();
    if (keyflight_hooks_scan() != KEYFLIGHT_HOOK_OK) return 1;
    double first_scan = now() - start;
    start = now();
    if (keyflight_hooks_scan() != KEYFLIGHT_HOOK_OK) return 1;
    double second_scan = now() - start;
    if (keyflight_hooks_cover(text_view) != KEYFLIGHT_HOOK_OK) return 1;
    start = now();
    for (int call = 0; call < CALLS; call++) keyflight_hooks_cover(text_view);
    double cover = (now() - start) / CALLS;

    double one = time_calls(responder) - plain[0];
    double two = time_calls(view) - plain[1];
    double three = time_calls(text_view) - plain[2];
    printf("%d classes, %zu methods replaced: %.2f ms; scanned again: %.2f ms; cover, done before: %.0f ns\n", CLASSES,
           methods_with(KEYFLIGHT_HOOK_OK), first_scan / 1e6, second_scan / 1e6, cover);
    printf("a plain message: %.1f ns\n", plain[0]);
    printf("replaced, two handlers: %.1f ns more; with one call of super %.1f ns, with two %.1f ns\n", one, two, three);
    if (keyflight_hooks_stop() != KEYFLIGHT_HOOK_OK) return 1;
    double after = time_calls(responder) - plain[0];
    printf("after the hooks were stopped: %.1f ns more\n", after);
    printf("cost: %s\n", one < goal ? "ok" : "FAILED, more than 400 ns");
    return one >= goal;
}
