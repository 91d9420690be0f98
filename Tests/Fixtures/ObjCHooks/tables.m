// What may be replaced: type encodings, tables, order of calls, limits.
#include "checks.h"

#include <stdio.h>
#include <string.h>

#include "signature.h"

// MARK: type encodings

static const struct {
    const char *types;
    /// Result, then arguments, as kinds; NULL where it is refused.
    const char *kinds;
} encodings[] = {
    {"v24@0:8@16", "v@"},                                   // GCC
    {"C24@0:8@16", "1@"},                                   // BOOL of GNUstep
    {"c24@0:8@16", "1@"},                                   // BOOL of macOS on x86-64
    {"B24@0:8@16", "1@"},                                   // BOOL of iOS
    {"@40@0:8:16@24@32", "@:@@"},
    {"B48@0:8:16@24@32@40", "1:@@@"},
    {"q20@0:8i16", "84"},
    {"v40@0:8@16{_NSRange=QQ}24", "v@R"},
    {"v56@0:8@16{_NSRange=QQ}24{_NSRange=QQ}40", "v@RR"},
    {"v32@0:8{?=qq}16", "vR"},                              // a range of text positions by another name
    {"Vv60@0:8nr*16N^{?=QQ}24^i32#40", "v^^^@"},            // qualifiers
    {"v32@0:8@?16@\"NSEvent\"24", "v@@"},                   // a block, an object with its class
    {"v32@0:8@?<v@?@\"NSString\">16q24", "v@8"},            // a block with its signature
    {"v24@0:8^{s=\"a\"i\"b\"[4{t=^?}]}16", "v^"},           // a pointer to a struct with names
    {"v24@0:8^^?16", "v^"},
    {"v64@0:8q16q24q32q40q48q56", "v888888"},
    {"v@:", "v"},
    {"f24@0:8d16", NULL},                                   // floating-point numbers
    {"v24@0:8f16", NULL},
    {"v24@0:8d16", NULL},
    {"v32@0:8D16", NULL},
    {"jd16@0:8", NULL},                                     // complex
    {"t16@0:8", NULL},                                      // 128 bits
    {"{?=QQ}16@0:8", NULL},                                 // a struct as the result
    {"{CGRect={CGPoint=dd}{CGSize=dd}}16@0:8", NULL},
    {"v32@0:8{CGPoint=dd}16", NULL},                        // other structs
    {"v32@0:8{?=QQQ}16", NULL},
    {"v24@0:8{?=Q}16", NULL},
    {"v24@0:8{?=ii}16", NULL},
    {"v24@0:8{opaque}16", NULL},
    {"v24@0:8(?=if)16", NULL},                              // a union
    {"v24@0:8[1{?=II^v^v}]16", NULL},                       // va_list
    {"v24@0:8b3", NULL},                                    // a bit field
    {"v24@0:8?16", NULL},
    {"v24@0:8v16", NULL},
    {"v72@0:8q16q24q32q40q48q56q64", NULL},                 // too many words
    {"v16:0@8", NULL},
    {"v@", NULL},
    {"v", NULL},
    {"", NULL},
    {NULL, NULL},
    {"v24@0:8{?=QQ", NULL},
    {"v24@0:8{\"a", NULL},
    {"v24@0:8^{", "v^"},
    {"v24@0:8@\"", "v@"},
};

static void type_encodings(void) {
    for (size_t index = 0; index < sizeof encodings / sizeof *encodings; index++) {
        struct keyflight_signature signature;
        bool fits = keyflight_read_signature(encodings[index].types, &signature);
        char kinds[8] = "";
        if (fits) {
            kinds[0] = signature.result;
            memcpy(kinds + 1, signature.arguments, signature.argument_count);
        }
        const char *expected = encodings[index].kinds;
        if (fits != (expected != NULL) || (fits && strcmp(kinds, expected) != 0)) {
            printf("%s: found %s\n", encodings[index].types, fits ? kinds : "refused");
            EXPECT(0, 1);
        }
    }
}

static const struct {
    const char *found, *expected;
    bool fits;
} pairs[] = {
    {"C24@0:8@16", "B@:@", true},
    {"v24@0:8@16", "v@:@", true},
    {"@24@0:8@16", "v@:@", true},   // an old style of declaration: - keyDown: (NSEvent *)event
    {"v24@0:8@16", "B@:@", false},
    {"i24@0:8@16", "B@:@", false},
    {"@24@0:8@16", "B@:@", false},
    {"v24@0:8:16", "v@:@", false},
    {"v20@0:8i16", "v@:q", false},
    {"v24@0:8Q16", "v@:q", true},
    {"v32@0:8@16@24", "v@:@", false},
    {"v16@0:8", "v@:@", false},
    {"v24@0:8#16", "v@:@", true},
};

static void type_encodings_that_fit(void) {
    for (size_t index = 0; index < sizeof pairs / sizeof *pairs; index++) {
        struct keyflight_signature found, expected;
        EXPECT(keyflight_read_signature(pairs[index].found, &found), 1);
        EXPECT(keyflight_read_signature(pairs[index].expected, &expected), 1);
        if (keyflight_signature_fits(&found, &expected) != pairs[index].fits) {
            printf("%s as %s\n", pairs[index].found, pairs[index].expected);
            EXPECT(0, 1);
        }
    }
}

/// Methods that have hooked selectors and other types.
@interface Odd : Object
@end
@implementation Odd
- (float)keyDown:(double)event {
    return (float)event / 2;
}
- (Range)becomeFirstResponder {
    return (Range){1, 2};
}
- (void)insertText:(Union)text replacementRange:(id)range {
    note("union %d", text.integer);
}
@end

static void methods_of_other_types_stay(void) {
    START(
        LOGGED("keyDown:", "v@:@"), LOGGED("becomeFirstResponder", "B@:"),
        LOGGED("insertText:replacementRange:", "v@:@{_NSRange=QQ}"));
    EXPECT(methods_with(KEYFLIGHT_HOOK_TYPES_DIFFER), 3);
    EXPECT(methods_with(KEYFLIGHT_HOOK_OK), 5);
    Odd *odd = MAKE(Odd);
    EXPECT([odd keyDown:42.0] == 21.0f, 1);
    EXPECT([odd becomeFirstResponder].length, 2);
    [odd insertText:(Union){.integer = 7} replacementRange:nil];
    EXPECT_LOG("union 7");
    // A scan once more does not report them twice.
    EXPECT(keyflight_hooks_scan(), KEYFLIGHT_HOOK_OK);
    EXPECT(methods_with(KEYFLIGHT_HOOK_TYPES_DIFFER), 3);
}

// MARK: tables

static void tables_that_are_refused(void) {
    static const struct keyflight_hook bad[] = {
        {NULL, "v@:", NULL, log_before, NULL, NULL},
        {"keyDown:", NULL, NULL, log_before, NULL, NULL},
        {"keyDown:", "v@:", NULL, log_before, NULL, NULL},        // fewer arguments than the selector has
        {"keyDown", "v@:@", NULL, log_before, NULL, NULL},
        {"keyDown:", "v@:d", NULL, log_before, NULL, NULL},
        {"frame", "{CGRect={CGPoint=dd}{CGSize=dd}}@:", NULL, log_before, NULL, NULL},
        {"log:", "v@:[1{?=II^v^v}]", NULL, log_before, NULL, NULL},
    };
    for (size_t index = 0; index < sizeof bad / sizeof *bad; index++) {
        EXPECT(keyflight_hooks_start(&bad[index], 1), KEYFLIGHT_HOOK_BAD_TABLE);
    }
    static struct keyflight_hook many[KEYFLIGHT_HOOKS_MAX + 1];
    for (int row = 0; row <= KEYFLIGHT_HOOKS_MAX; row++) {
        many[row] = (struct keyflight_hook)LOGGED("keyDown:", "v@:@");
    }
    EXPECT(keyflight_hooks_start(many, KEYFLIGHT_HOOKS_MAX + 1), KEYFLIGHT_HOOK_BAD_TABLE);
    EXPECT(keyflight_hooks_start(NULL, 1), KEYFLIGHT_HOOK_BAD_TABLE);
    EXPECT(keyflight_hooks_start(many, 0), KEYFLIGHT_HOOK_BAD_TABLE);
    EXPECT(keyflight_hooks_start(many, KEYFLIGHT_HOOKS_MAX), KEYFLIGHT_HOOK_OK);
}

static void calls_before_the_start(void) {
    Responder *responder = MAKE(Responder);
    EXPECT(keyflight_hooks_scan(), KEYFLIGHT_HOOK_NOT_STARTED);
    EXPECT(keyflight_hooks_cover(responder), KEYFLIGHT_HOOK_NOT_STARTED);
    EXPECT(keyflight_hooks_stop(), KEYFLIGHT_HOOK_NOT_STARTED);
    EXPECT(keyflight_hooks_need_scan(), 0);
    EXPECT(keyflight_hooks_methods(NULL, 0), 0);
    EXPECT(keyflight_hooks_off_thread_calls(), 0);
    for (int status = KEYFLIGHT_HOOK_OK; status <= KEYFLIGHT_HOOK_NO_STUB; status++) {
        EXPECT(strlen(keyflight_hook_status_text(status)) > 5, 1);
    }
}

static void within_a_class(void) {
    START({"keyDown:", "v@:@", "PlainView", log_before, log_after, NULL});
    EXPECT(methods_with(KEYFLIGHT_HOOK_OK), 1);
    [MAKE(TextView) keyDown:nil];
    EXPECT_LOG("> TextView keyDown:\n< TextView keyDown:");
    [MAKE(View) keyDown:nil];
    EXPECT_LOG("");
}

static void first_row_counts(void) {
    START(
        {"keyDown:", "v@:@", "TextView", log_before, NULL, NULL},
        {"keyDown:", "v@:@", "View", NULL, log_after, NULL});
    [MAKE(TextView) keyDown:nil];
    EXPECT_LOG("> TextView keyDown:\n<  TextView keyDown: of View super");
}

static void started_twice(void) {
    START(LOGGED("keyDown:", "v@:@"));
    EXPECT(keyflight_hooks_start(started_hooks, 1), KEYFLIGHT_HOOK_ALREADY_STARTED);
    size_t methods = methods_with(KEYFLIGHT_HOOK_OK);
    EXPECT(methods, 3);
    EXPECT(keyflight_hooks_scan(), KEYFLIGHT_HOOK_OK);
    EXPECT(keyflight_hooks_cover(MAKE(TextView)), KEYFLIGHT_HOOK_OK);
    EXPECT(methods_with(KEYFLIGHT_HOOK_OK), methods);
    [MAKE(Responder) keyDown:nil];
    EXPECT_LOG("> Responder keyDown:\n< Responder keyDown:");
}

// MARK: more methods than stubs

static long number_of(id self, SEL selector) { return (long)object_getIndexedIvars(self); }

static void more_methods_than_stubs(void) {
    enum { COUNT = KEYFLIGHT_HOOK_STUBS + 100 };
    static Class types[COUNT];
    for (int index = 0; index < COUNT; index++) {
        char name[32];
        snprintf(name, sizeof name, "Numbered%d", index);
        types[index] = objc_allocateClassPair([Object class], name, 0);
        class_addMethod(types[index], @selector(number), (IMP)number_of, "q16@0:8");
        objc_registerClassPair(types[index]);
    }
    START({"number", "q@:", NULL, NULL, NULL, NULL});
    EXPECT(methods_with(KEYFLIGHT_HOOK_OK), KEYFLIGHT_HOOK_STUBS);
    EXPECT(methods_with(KEYFLIGHT_HOOK_NO_STUB), 100);
    for (int index = 0; index < COUNT; index++) {
        id object = make(types[index]);
        long (*number)(id, SEL) = (long (*)(id, SEL))objc_msg_lookup(object, @selector(number));
        EXPECT(number(object, @selector(number)), object_getIndexedIvars(object));
    }
    EXPECT(keyflight_hooks_stop(), KEYFLIGHT_HOOK_OK);
    // The stubs that there are serve the same methods again.
    EXPECT(keyflight_hooks_start(started_hooks, 1), KEYFLIGHT_HOOK_OK);
    EXPECT(keyflight_hooks_scan(), KEYFLIGHT_HOOK_OK);
    EXPECT(methods_with(KEYFLIGHT_HOOK_OK), KEYFLIGHT_HOOK_STUBS);
}

const struct check table_checks[] = {
    {"type-encodings", type_encodings},
    {"type-encodings-that-fit", type_encodings_that_fit},
    {"methods-of-other-types-stay", methods_of_other_types_stay},
    {"tables-that-are-refused", tables_that_are_refused},
    {"calls-before-the-start", calls_before_the_start},
    {"within-a-class", within_a_class},
    {"first-row-counts", first_row_counts},
    {"started-twice", started_twice},
    {"more-methods-than-stubs", more_methods_than_stubs},
    {NULL, NULL},
};
