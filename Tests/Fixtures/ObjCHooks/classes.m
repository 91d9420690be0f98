// Classes that come late, change or go: bundles, categories, key-value observing, reused addresses, other replacers,
// removal.
#include "checks.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_DOWN LOGGED("keyDown:", "v@:@")
#define BECOME LOGGED("becomeFirstResponder", "B@:")

static IMP own_method(Class type, SEL selector) {
    return method_getImplementation(class_getInstanceMethod(type, selector));
}

/// late.m, which the build puts beside the program.
static void load_late_code(void) {
    const char *path = getenv("LATE_BUNDLE");
    EXPECT(path != NULL, 1);
    if (dlopen(path, RTLD_NOW) == NULL) {
        printf("%s\n", dlerror());
        EXPECT(0, 1);
    }
}

static void late_code_by_scan(void) {
    START(KEY_DOWN);
    View *view = MAKE(View);
    EXPECT(keyflight_hooks_need_scan(), 0);
    load_late_code();
    EXPECT(keyflight_hooks_need_scan(), 1);
    // A category has replaced the method that is replaced.
    [view keyDown:nil];
    EXPECT_LOG("late category");
    EXPECT(keyflight_hooks_scan(), KEYFLIGHT_HOOK_OK);
    EXPECT(keyflight_hooks_need_scan(), 0);
    [view keyDown:nil];
    EXPECT_LOG("> View keyDown:\nlate category\n< View keyDown:");
    [make(objc_getClass("LateView")) keyDown:nil];
    EXPECT_LOG(
        "> LateView keyDown:\nlate class\n>  LateView keyDown: of View super\nlate category\n"
        "<  LateView keyDown: of View super\n< LateView keyDown:");
    EXPECT(keyflight_hooks_stop(), KEYFLIGHT_HOOK_OK);
    [view keyDown:nil];
    EXPECT_LOG("late category");
}

static void late_code_by_cover(void) {
    static const struct keyflight_hook hooks[] = {KEY_DOWN};
    EXPECT(keyflight_hooks_start(hooks, 1), KEYFLIGHT_HOOK_OK);
    View *view = MAKE(View);
    EXPECT(keyflight_hooks_cover(view), KEYFLIGHT_HOOK_OK);
    load_late_code();
    EXPECT(keyflight_hooks_cover(view), KEYFLIGHT_HOOK_OK);
    [view keyDown:nil];
    EXPECT_LOG("> View keyDown:\nlate category\n< View keyDown:");
    EXPECT(keyflight_hooks_cover(make(objc_getClass("LateView"))), KEYFLIGHT_HOOK_OK);
    [make(objc_getClass("LateView")) keyDown:nil];
    EXPECT_LOG(
        "> LateView keyDown:\nlate class\n>  LateView keyDown: of View super\nlate category\n"
        "<  LateView keyDown: of View super\n< LateView keyDown:");
}

static void only_the_method_that_is_called(void) {
    load_late_code();
    START(KEY_DOWN);
    // Of the class and its category, the category's. LateView, View, TextView, Responder, and none for the other.
    EXPECT(methods_with(KEYFLIGHT_HOOK_OK), 4);
    [MAKE(View) keyDown:nil];
    EXPECT_LOG("> View keyDown:\nlate category\n< View keyDown:");
}

static void cover_after_a_restart(void) {
    static const struct keyflight_hook first[] = {BECOME}, second[] = {KEY_DOWN};
    Responder *responder = MAKE(Responder);
    EXPECT(keyflight_hooks_start(first, 1), KEYFLIGHT_HOOK_OK);
    EXPECT(keyflight_hooks_cover(responder), KEYFLIGHT_HOOK_OK);
    EXPECT(keyflight_hooks_stop(), KEYFLIGHT_HOOK_OK);
    EXPECT(keyflight_hooks_start(second, 1), KEYFLIGHT_HOOK_OK);
    EXPECT(keyflight_hooks_cover(responder), KEYFLIGHT_HOOK_OK);
    [responder keyDown:nil];
    EXPECT_LOG("> Responder keyDown:\n< Responder keyDown:");
}

static void cover_touches_no_other_class(void) {
    static const struct keyflight_hook hooks[] = {KEY_DOWN, BECOME};
    EXPECT(keyflight_hooks_start(hooks, 2), KEYFLIGHT_HOOK_OK);
    EXPECT(keyflight_hooks_cover(NULL), KEYFLIGHT_HOOK_OK);
    EXPECT(methods_with(KEYFLIGHT_HOOK_OK), 0);
    EXPECT(keyflight_hooks_cover(MAKE(PlainView)), KEYFLIGHT_HOOK_OK);
    EXPECT(methods_with(KEYFLIGHT_HOOK_OK), 3);
    [MAKE(View) keyDown:nil];
    EXPECT_LOG(
        "> View keyDown:\n>  View keyDown: of Responder super\n<  View keyDown: of Responder super\n< View keyDown:");
    // Its own method was left alone; what it inherits was not.
    [MAKE(TextView) keyDown:nil];
    EXPECT_LOG(
        "> TextView keyDown: of View\n>  TextView keyDown: of Responder super\n"
        "<  TextView keyDown: of Responder super\n< TextView keyDown: of View");
    // A scan afterwards adds what is missing.
    EXPECT(keyflight_hooks_scan(), KEYFLIGHT_HOOK_OK);
    EXPECT(methods_with(KEYFLIGHT_HOOK_OK), 4);
}

/// As on Apple's runtime.
static void scan_is_refused_where_it_is_unsafe(void) {
    extern void pretend_apple_runtime(void);
    static const struct keyflight_hook hooks[] = {KEY_DOWN};
    EXPECT(keyflight_hooks_start(hooks, 1), KEYFLIGHT_HOOK_OK);
    pretend_apple_runtime();
    EXPECT(keyflight_hooks_need_scan(), 0);
    EXPECT(keyflight_hooks_scan(), KEYFLIGHT_HOOK_UNSAFE_SCAN);
}

/// A class that has had no message has no dispatch table yet.
static void class_without_messages(void) {
    START(KEY_DOWN);
    // make() sends none either.
    id view = make(objc_getClass("TextView"));
    IMP method = objc_msg_lookup(view, @selector(keyDown:));
    ((void (*)(id, SEL, id))method)(view, @selector(keyDown:), nil);
    EXPECT_LOG(
        "> TextView keyDown:\n>  TextView keyDown: of View super\n>   TextView keyDown: of Responder super\n"
        "<   TextView keyDown: of Responder super\n<  TextView keyDown: of View super\n< TextView keyDown:");
}

// MARK: key-value observing

static Class named_class(id self, SEL selector) { return class_getSuperclass(object_getClass(self)); }
static Class observing_class(Class type) {
    char name[64];
    snprintf(name, sizeof name, "Observing%s", class_getName(type));
    Class observing = objc_lookUpClass(name);
    if (observing != Nil) return observing;
    observing = objc_allocateClassPair(type, name, 0);
    class_addMethod(observing, @selector(class), (IMP)named_class, "#16@0:8");
    objc_registerClassPair(observing);
    return observing;
}

static void observed_object(void) {
    static const struct keyflight_hook hooks[] = {KEY_DOWN};
    EXPECT(keyflight_hooks_start(hooks, 1), KEYFLIGHT_HOOK_OK);
    View *view = MAKE(View);
    object_setClass(view, observing_class([View class]));
    EXPECT([view class] == [View class], 1);
    EXPECT(keyflight_hooks_cover(view), KEYFLIGHT_HOOK_OK);
    EXPECT(methods_with(KEYFLIGHT_HOOK_OK), 2);
    [view keyDown:nil];
    EXPECT_LOG(
        "> ObservingView keyDown: of View\n>  ObservingView keyDown: of Responder super\n"
        "<  ObservingView keyDown: of Responder super\n< ObservingView keyDown: of View");
}

static void observe_and_go_on(Responder *self) {
    in_text_view = NULL;
    object_setClass(self, observing_class([TextView class]));
    void (*next)(id, SEL, id) = (void (*)(id, SEL, id))own_method([View class], @selector(keyDown:));
    next(self, @selector(keyDown:), nil);
    object_setClass(self, [TextView class]);
    next(self, @selector(keyDown:), nil);
}
static void observed_during_a_call(void) {
    START(KEY_DOWN);
    in_text_view = observe_and_go_on;
    [MAKE(TextView) keyDown:nil];
    EXPECT_LOG(
        "> TextView keyDown:\n>  ObservingTextView keyDown: of View super\n"
        ">   ObservingTextView keyDown: of Responder super\n<   ObservingTextView keyDown: of Responder super\n"
        "<  ObservingTextView keyDown: of View super\n>  TextView keyDown: of View super\n"
        ">   TextView keyDown: of Responder super\n<   TextView keyDown: of Responder super\n"
        "<  TextView keyDown: of View super\n< TextView keyDown:");
}

// MARK: addresses that are reused

static void die_and_let_another_live(Responder *self) {
    in_text_view = NULL;
    // glibc keeps seven freed pieces of a size from calloc; the eighth is given out again.
    Responder *others[7];
    for (int index = 0; index < 7; index++) others[index] = MAKE(Responder);
    for (int index = 0; index < 7; index++) object_dispose(others[index]);
    object_dispose(self);
    Responder *reborn = MAKE(Responder);
    note("same address %d", reborn == self);
    [reborn keyDown:nil];
}
static void log_word(struct keyflight_activation *activation) {
    note("%s super %d depth %u", keyflight_class_name(activation->owner), activation->is_super, activation->depth);
}
static void object_at_the_same_address(void) {
    START({"keyDown:", "v@:@", NULL, log_word, NULL, NULL});
    in_text_view = die_and_let_another_live;
    [MAKE(TextView) keyDown:nil];
    EXPECT_LOG("TextView super 0 depth 0\nsame address 1\nResponder super 0 depth 1");
}

static void plain_key_down(id self, SEL selector, id event) { note("plain"); }
static void other_key_down(id self, SEL selector, id event) { note("other"); }
static void rename_class(Class type, const char *name) {
    ((struct { Class class_pointer, super_class; const char *name; } *)type)->name = name;
}

/// GCC's runtime disposes of no class that is registered, Apple's does: here a class gets another's name and method.
static void class_at_the_same_address(void) {
    static const struct keyflight_hook hooks[] = {KEY_DOWN};
    EXPECT(keyflight_hooks_start(hooks, 1), KEYFLIGHT_HOOK_OK);
    Class type = objc_allocateClassPair([Object class], "First", 0);
    objc_registerClassPair(type);
    Responder *object = make(type);
    EXPECT(keyflight_hooks_cover(object), KEYFLIGHT_HOOK_OK);
    class_addMethod(type, @selector(keyDown:), (IMP)plain_key_down, "v24@0:8@16");
    // Covered, and no code was loaded.
    EXPECT(keyflight_hooks_cover(object), KEYFLIGHT_HOOK_OK);
    [object keyDown:nil];
    EXPECT_LOG("plain");
    rename_class(type, "TextView");
    EXPECT(keyflight_hooks_cover(object), KEYFLIGHT_HOOK_OK);
    [object keyDown:nil];
    EXPECT_LOG("> TextView keyDown:\nplain\n< TextView keyDown:");
    // The next one's method is at the same address too, and does something else.
    rename_class(type, "View");
    method_setImplementation(class_getInstanceMethod(type, @selector(keyDown:)), (IMP)other_key_down);
    EXPECT(keyflight_hooks_cover(object), KEYFLIGHT_HOOK_OK);
    [object keyDown:nil];
    EXPECT_LOG("> View keyDown:\nother\n< View keyDown:");
    // Another class has this one's name, which may be gone, and is not written to.
    IMP stub = own_method(type, @selector(keyDown:));
    EXPECT(keyflight_hooks_stop(), KEYFLIGHT_HOOK_OK);
    EXPECT(own_method(type, @selector(keyDown:)) == stub, 1);
    [object keyDown:nil];
    EXPECT_LOG("other");
}

// MARK: removal and others who replace

static void removal(void) {
    IMP original = own_method([View class], @selector(keyDown:));
    START(KEY_DOWN);
    IMP stub = own_method([View class], @selector(keyDown:));
    EXPECT(stub != original, 1);
    EXPECT(keyflight_hooks_stop(), KEYFLIGHT_HOOK_OK);
    EXPECT(own_method([View class], @selector(keyDown:)) == original, 1);
    EXPECT(methods_with(KEYFLIGHT_HOOK_OK), 0);
    [MAKE(View) keyDown:nil];
    EXPECT_LOG("");
    // Somebody may have kept the stub: it passes through.
    ((void (*)(id, SEL, id))stub)(MAKE(View), @selector(keyDown:), nil);
    EXPECT_LOG("");
    // Again, with another table: the same stub for the same method.
    static const struct keyflight_hook hooks[] = {BECOME, KEY_DOWN};
    EXPECT(keyflight_hooks_need_scan(), 0);
    EXPECT(keyflight_hooks_start(hooks, 2), KEYFLIGHT_HOOK_OK);
    EXPECT(keyflight_hooks_need_scan(), 1);
    EXPECT(keyflight_hooks_scan(), KEYFLIGHT_HOOK_OK);
    EXPECT(own_method([View class], @selector(keyDown:)) == stub, 1);
    [MAKE(View) becomeFirstResponder];
    EXPECT_LOG("> View becomeFirstResponder of Responder\n< View becomeFirstResponder of Responder");
    [MAKE(Responder) keyDown:nil];
    EXPECT_LOG("> Responder keyDown:\n< Responder keyDown:");
    EXPECT(keyflight_hooks_stop(), KEYFLIGHT_HOOK_OK);
    // A table that asks for other types leaves the method alone.
    static const struct keyflight_hook others[] = {LOGGED("keyDown:", "v@::")};
    start_and_scan(others, 1);
    // One of them is of a class of tables.m.
    EXPECT(methods_with(KEYFLIGHT_HOOK_TYPES_DIFFER), 4);
    EXPECT(methods_with(KEYFLIGHT_HOOK_OK), 0);
    EXPECT(own_method([View class], @selector(keyDown:)) == original, 1);
}

static IMP under_swizzle;
static void swizzle(id self, SEL selector, id event) {
    note("swizzled");
    ((void (*)(id, SEL, id))under_swizzle)(self, selector, event);
}
static void replaced_above_us(void) {
    START(KEY_DOWN);
    View *view = MAKE(View);
    [view keyDown:nil];
    EXPECT_LOG(
        "> View keyDown:\n>  View keyDown: of Responder super\n<  View keyDown: of Responder super\n< View keyDown:");
    under_swizzle = method_setImplementation(class_getInstanceMethod([View class], @selector(keyDown:)), (IMP)swizzle);
    EXPECT(keyflight_hooks_scan(), KEYFLIGHT_HOOK_OK);
    EXPECT(methods_with(KEYFLIGHT_HOOK_OK), 3);
    [view keyDown:nil];
    EXPECT_LOG(
        "swizzled\n> View keyDown:\n>  View keyDown: of Responder super\n<  View keyDown: of Responder super\n"
        "< View keyDown:");
    EXPECT(keyflight_hooks_stop(), KEYFLIGHT_HOOK_OK);
    EXPECT(own_method([View class], @selector(keyDown:)) == (IMP)swizzle, 1);
    [view keyDown:nil];
    EXPECT_LOG("swizzled");
    // Started again, our stub is still below theirs.
    start_and_scan(started_hooks, 1);
    [view keyDown:nil];
    EXPECT_LOG(
        "swizzled\n> View keyDown:\n>  View keyDown: of Responder super\n<  View keyDown: of Responder super\n"
        "< View keyDown:");
}

static void exchanged(void) {
    START(KEY_DOWN);
    Method ours = class_getInstanceMethod([Responder class], @selector(keyDown:));
    Method theirs = class_getInstanceMethod([Responder class], @selector(keyUp:));
    [MAKE(Responder) keyUp:nil];
    EXPECT_LOG("key up");
    method_exchangeImplementations(ours, theirs);
    EXPECT(keyflight_hooks_scan(), KEYFLIGHT_HOOK_OK);
    EXPECT(methods_with(KEYFLIGHT_HOOK_OK), 3);
    // The stub goes where its method goes.
    [MAKE(Responder) keyDown:nil];
    EXPECT_LOG("key up");
    [MAKE(Responder) keyUp:nil];
    EXPECT_LOG("> Responder keyUp:\n< Responder keyUp:");
    EXPECT(keyflight_hooks_stop(), KEYFLIGHT_HOOK_OK);
    [MAKE(Responder) keyUp:nil];
    EXPECT_LOG("");
    // Both selectors are asked for now: the stub that moved is not replaced once more, and is below what is above it.
    static const struct keyflight_hook both[] = {LOGGED("keyUp:", "v@:@"), KEY_DOWN};
    start_and_scan(both, 2);
    [MAKE(Responder) keyDown:nil];
    EXPECT_LOG("key up");
    [MAKE(Responder) keyUp:nil];
    EXPECT_LOG("> Responder keyUp:\n< Responder keyUp:");
}

const struct check class_checks[] = {
    {"late-code-by-scan", late_code_by_scan},
    {"late-code-by-cover", late_code_by_cover},
    {"only-the-method-that-is-called", only_the_method_that_is_called},
    {"cover-after-a-restart", cover_after_a_restart},
    {"cover-touches-no-other-class", cover_touches_no_other_class},
    {"scan-is-refused-where-it-is-unsafe", scan_is_refused_where_it_is_unsafe},
    {"class-without-messages", class_without_messages},
    {"observed-object", observed_object},
    {"observed-during-a-call", observed_during_a_call},
    {"object-at-the-same-address", object_at_the_same_address},
    {"class-at-the-same-address", class_at_the_same_address},
    {"removal", removal},
    {"replaced-above-us", replaced_above_us},
    {"exchanged", exchanged},
    {NULL, NULL},
};
