// What calls of replaced methods do: arguments, results, super, nesting, exceptions, threads.
#include "checks.h"

#include <pthread.h>
#include <string.h>

// MARK: arguments and results

static uintptr_t seen[6], seen_result;
/// The row's context is how many words the arguments have.
static void see_arguments(struct keyflight_activation *activation) {
    memcpy(seen, activation->arguments, (uintptr_t)activation->hook->context * sizeof *seen);
}
static void see_result(struct keyflight_activation *activation) { seen_result = activation->result; }
#define SEEN(selector, types, words) {selector, types, NULL, see_arguments, see_result, (void *)words}

static void words_pass(void) {
    START(
        SEEN("becomeFirstResponder", "B@:", 0), SEEN("targetForAction:to:from:", "@@::@@", 3),
        SEEN("sendAction:to:from:forEvent:", "B@::@@@", 4), SEEN("sum::::::", "q@:qqqqqq", 6));
    Responder *responder = MAKE(Responder);
    EXPECT([responder becomeFirstResponder], YES);
    EXPECT((uint8_t)seen_result, YES);
    EXPECT([responder targetForAction:@selector(copy:) to:responder from:nil] == responder, 1);
    EXPECT(seen_result, responder);
    EXPECT(keyflight_selector_key((void *)seen[0]) == keyflight_selector_key(keyflight_selector_named("copy:")), 1);
    EXPECT(seen[1], responder);
    EXPECT(seen[2], 0);
    EXPECT([responder sendAction:@selector(paste:) to:responder from:nil forEvent:(id)64], NO);
    EXPECT((uint8_t)seen_result, NO);
    EXPECT(seen[3], 64);
    EXPECT_LOG("send paste: 1 1 0");
    EXPECT([responder sum:1:2:3:4:5:6], 654321);
    EXPECT(seen_result, 654321);
    for (int index = 0; index < 6; index++) EXPECT(seen[index], index + 1);
}

static void ranges_pass(void) {
    START(
        SEEN("insertText:replacementRange:", "v@:@{_NSRange=QQ}", 3),
        SEEN("setMarkedText:selectedRange:replacementRange:", "v@:@{_NSRange=QQ}{_NSRange=QQ}", 5));
    Responder *responder = MAKE(Responder);
    [responder insertText:responder replacementRange:(Range){11, 12}];
    EXPECT_LOG("insert 1 11 12");
    EXPECT(seen[0], responder);
    EXPECT(seen[1], 11);
    EXPECT(seen[2], 12);
    [responder setMarkedText:responder selectedRange:(Range){21, 22} replacementRange:(Range){23, 24}];
    EXPECT_LOG("mark 1 21 22 23 24");
    EXPECT(seen[0], responder);
    for (int index = 1; index < 5; index++) EXPECT(seen[index], 20 + index);
}

// MARK: super and nesting

#define KEY_DOWN LOGGED("keyDown:", "v@:@")
#define BECOME LOGGED("becomeFirstResponder", "B@:")

static void inherited(void) {
    START(BECOME);
    TextView *view = MAKE(TextView);
    EXPECT([view becomeFirstResponder], YES);
    EXPECT_LOG("> TextView becomeFirstResponder of Responder\n< TextView becomeFirstResponder of Responder");
}

static void super_of_overrides(void) {
    START(KEY_DOWN);
    TextView *view = MAKE(TextView);
    [view keyDown:nil];
    EXPECT_LOG(
        "> TextView keyDown:\n>  TextView keyDown: of View super\n>   TextView keyDown: of Responder super\n"
        "<   TextView keyDown: of Responder super\n<  TextView keyDown: of View super\n< TextView keyDown:");
}

/// Not [super keyDown:] of a TextView, but what it does.
static void call_super_in_another_way(Responder *responder) {
    IMP above = class_getMethodImplementation([View class], @selector(keyDown:));
    ((void (*)(id, SEL, id))above)(responder, @selector(keyDown:), nil);
}
static void become(Responder *self) {
    in_text_view = NULL;
    in_become = call_super_in_another_way;
    [self becomeFirstResponder];
}
static void super_within_other_calls(void) {
    START(KEY_DOWN, BECOME);
    in_text_view = become;
    [MAKE(TextView) keyDown:nil];
    EXPECT_LOG(
        "> TextView keyDown:\n>  TextView becomeFirstResponder of Responder\n"
        ">   TextView keyDown: of View super\n>    TextView keyDown: of Responder super\n"
        "<    TextView keyDown: of Responder super\n<   TextView keyDown: of View super\n"
        "<  TextView becomeFirstResponder of Responder\n< TextView keyDown:");
}

static int recursions;
static void recurse(Responder *self) {
    if (recursions-- > 0) [self keyDown:nil];
}
static void recursion_is_not_super(void) {
    START(KEY_DOWN);
    recursions = 1;
    in_base = recurse;
    [MAKE(View) keyDown:nil];
    EXPECT_LOG(
        "> View keyDown:\n>  View keyDown: of Responder super\n>   View keyDown:\n"
        ">    View keyDown: of Responder super\n<    View keyDown: of Responder super\n<   View keyDown:\n"
        "<  View keyDown: of Responder super\n< View keyDown:");
}

static Responder *other;
static void ask_other(Responder *self) {
    if (self != other) [other keyDown:nil];
}
static void call_super_of_other(Responder *self) { call_super_in_another_way(other); }
static void another_object_is_not_super(void) {
    START(KEY_DOWN);
    other = MAKE(Responder);
    in_text_view = ask_other;
    [MAKE(TextView) keyDown:nil];
    EXPECT_LOG("> TextView keyDown:\n>  Responder keyDown:\n<  Responder keyDown:\n< TextView keyDown:");
    // Nor is it where the same methods run, for an object of the same class.
    other = MAKE(TextView);
    in_text_view = call_super_of_other;
    [MAKE(TextView) keyDown:nil];
    EXPECT_LOG(
        "> TextView keyDown:\n>  TextView keyDown: of View\n>   TextView keyDown: of Responder super\n"
        "<   TextView keyDown: of Responder super\n<  TextView keyDown: of View\n< TextView keyDown:");
}

static unsigned deepest, activations;
static void count_depth(struct keyflight_activation *activation) {
    EXPECT(keyflight_hooks_current() == activation, 1);
    EXPECT(activation->outer == NULL ? 0 : activation->outer->depth + 1, activation->depth);
    if (activation->depth > deepest) deepest = activation->depth;
    activation->user[0] = ++activations;
    activation->user[1] = activation->depth;
}
static void check_user(struct keyflight_activation *activation) {
    EXPECT(activation->user[0], activations--);
    EXPECT(activation->user[1], activation->depth);
}
static void deep_nesting(void) {
    START({"performKeyEquivalent:", "B@:@", NULL, count_depth, check_user, NULL});
    Responder *first = nil;
    for (int index = 0; index < 2000; index++) {
        Responder *responder = MAKE(Responder);
        responder->next = first;
        first = responder;
    }
    EXPECT([first performKeyEquivalent:nil], NO);
    EXPECT(deepest, 1999);
    EXPECT(activations, 0);
}

// MARK: exceptions

static void throw_out(Responder *self) { @throw self; }
static void catch_here(Responder *self) {
    in_text_view = NULL;
    in_base = throw_out;
    @try {
        [self keyDown:nil];
    } @catch (id exception) {
        note("caught %d", exception == self);
    }
    EXPECT(keyflight_hooks_current()->depth, 0);
    [self becomeFirstResponder];
}

static void exception_to_the_outside(void) {
    START(KEY_DOWN, BECOME);
    View *view = MAKE(View);
    in_base = throw_out;
    @try {
        [view keyDown:nil];
    } @catch (id exception) {
        note("caught %d", exception == view);
    }
    EXPECT(keyflight_hooks_current() == NULL, 1);
    [view becomeFirstResponder];
    EXPECT_LOG(
        "> View keyDown:\n>  View keyDown: of Responder super\n<  View keyDown: of Responder super unwound\n"
        "< View keyDown: unwound\ncaught 1\n> View becomeFirstResponder of Responder\n"
        "< View becomeFirstResponder of Responder");
}

static void exception_caught_in_between(void) {
    START(KEY_DOWN, BECOME);
    in_text_view = catch_here;
    [MAKE(TextView) keyDown:nil];
    EXPECT_LOG(
        "> TextView keyDown:\n>  TextView keyDown:\n>   TextView keyDown: of View super\n"
        ">    TextView keyDown: of Responder super\n<    TextView keyDown: of Responder super unwound\n"
        "<   TextView keyDown: of View super unwound\n<  TextView keyDown: unwound\ncaught 1\n"
        ">  TextView becomeFirstResponder of Responder\n<  TextView becomeFirstResponder of Responder\n"
        "< TextView keyDown:");
}

// MARK: handlers

static void send_messages(struct keyflight_activation *activation) {
    uintptr_t result = 0;
    EXPECT(keyflight_send(activation->object, keyflight_selector_named("becomeFirstResponder"), 0, 0, &result), 1);
    EXPECT((uint8_t)result, YES);
    EXPECT(keyflight_send(activation->object, keyflight_selector_named("fail"), 0, 0, &result), 0);
    EXPECT(keyflight_send(NULL, keyflight_selector_named("fail"), 0, 0, &result), 1);
    EXPECT(result, 0);
    EXPECT(keyflight_responds(activation->object, keyflight_selector_named("fail")), 1);
    EXPECT(keyflight_responds(activation->object, keyflight_selector_named("succeed")), 0);
    note("handled");
}
static void messages_of_handlers_are_unobserved(void) {
    START({"keyDown:", "v@:@", NULL, send_messages, send_messages, NULL}, BECOME, LOGGED("fail", "v@:"));
    [MAKE(Responder) keyDown:nil];
    EXPECT_LOG("handled\nhandled");
    [MAKE(Responder) becomeFirstResponder];
    EXPECT_LOG("> Responder becomeFirstResponder\n< Responder becomeFirstResponder");
}

static void stop_now(struct keyflight_activation *activation) {
    note("stop");
    EXPECT(keyflight_hooks_stop(), KEYFLIGHT_HOOK_OK);
}
static void stop_in_a_handler(void) {
    START(
        {"keyDown:", "v@:@", "View", log_before, log_after, NULL},
        {"keyDown:", "v@:@", NULL, stop_now, log_after, NULL});
    [MAKE(View) keyDown:nil];
    EXPECT_LOG("> View keyDown:\nstop");
    EXPECT(keyflight_hooks_current() == NULL, 1);
    [MAKE(View) keyDown:nil];
    EXPECT_LOG("");
}

// MARK: threads

static void *call_elsewhere(void *view) {
    for (int index = 0; index < 1000; index++) [(View *)view keyDown:nil];
    EXPECT([(View *)view sum:1:2:3:4:5:6], 654321);
    static const struct keyflight_hook hooks[] = {KEY_DOWN};
    EXPECT(keyflight_hooks_start(hooks, 1), KEYFLIGHT_HOOK_WRONG_THREAD);
    EXPECT(keyflight_hooks_scan(), KEYFLIGHT_HOOK_WRONG_THREAD);
    EXPECT(keyflight_hooks_cover(view), KEYFLIGHT_HOOK_WRONG_THREAD);
    EXPECT(keyflight_hooks_stop(), KEYFLIGHT_HOOK_WRONG_THREAD);
    return NULL;
}
static void call_on_both_threads(Responder *self) {
    in_text_view = NULL;
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, call_elsewhere, MAKE(View)), 0);
    pthread_join(thread, NULL);
}
static void second_thread(void) {
    START(KEY_DOWN, LOGGED("sum::::::", "q@:qqqqqq"));
    in_text_view = call_on_both_threads;
    [MAKE(TextView) keyDown:nil];
    EXPECT_LOG("> TextView keyDown:\n< TextView keyDown:");
    EXPECT(keyflight_hooks_off_thread_calls(), 2001);
}

const struct check call_checks[] = {
    {"words-pass", words_pass},
    {"ranges-pass", ranges_pass},
    {"inherited-method", inherited},
    {"super-of-overrides", super_of_overrides},
    {"super-within-other-calls", super_within_other_calls},
    {"recursion-is-not-super", recursion_is_not_super},
    {"another-object-is-not-super", another_object_is_not_super},
    {"deep-nesting", deep_nesting},
    {"exception-to-the-outside", exception_to_the_outside},
    {"exception-caught-in-between", exception_caught_in_between},
    {"messages-of-handlers-are-unobserved", messages_of_handlers_are_unobserved},
    {"stop-in-a-handler", stop_in_a_handler},
    {"second-thread", second_thread},
    {NULL, NULL},
};
