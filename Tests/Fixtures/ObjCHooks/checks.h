#ifndef CHECKS_H
#define CHECKS_H

#include <objc/runtime.h>
#include <objc/Object.h>
#include <stdint.h>

#include "objc_hooks.h"

// A check is a function; each runs in a process of its own (main.m).
struct check {
    const char *name;
    void (*run)(void);
};
extern const struct check call_checks[], class_checks[], table_checks[];

/// Ends the process with a message when they differ.
#define EXPECT(found, expected) expect_equal(__FILE__, __LINE__, #found, (long)(found), (long)(expected))
#define EXPECT_LOG(expected) expect_log(__FILE__, __LINE__, expected)
void expect_equal(const char *file, int line, const char *what, long found, long expected);
/// Compares all that was logged since the last time, and forgets it.
void expect_log(const char *file, int line, const char *expected);
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Handlers that log each activation: `>` or `<`, class of the object, selector, owner where it is another class,
/// depth, super, unwound.
void log_before(struct keyflight_activation *activation);
void log_after(struct keyflight_activation *activation);
/// Starts with these rows, and scans.
#define START(...)                                                                       \
    static const struct keyflight_hook started_hooks[] = {__VA_ARGS__};                  \
    start_and_scan(started_hooks, sizeof started_hooks / sizeof *started_hooks)
#define LOGGED(selector, types) {selector, types, NULL, log_before, log_after, NULL}
void start_and_scan(const struct keyflight_hook *hooks, size_t count);
/// How many methods have this status.
size_t methods_with(enum keyflight_hook_status status);

typedef struct {
    unsigned long location, length;
} Range;
typedef union {
    int integer;
    float number;
} Union;

@interface Object (Fixture)
+ (Class)class;
@end

@interface Responder : Object {
  @public
    Responder *next;
}
- (void)keyDown:(id)event;
- (void)keyUp:(id)event;
- (BOOL)becomeFirstResponder;
- (BOOL)performKeyEquivalent:(id)event;
- (id)targetForAction:(SEL)action to:(id)target from:(id)sender;
- (BOOL)sendAction:(SEL)action to:(id)target from:(id)sender forEvent:(id)event;
- (void)insertText:(id)text replacementRange:(Range)range;
- (void)setMarkedText:(id)text selectedRange:(Range)selected replacementRange:(Range)replaced;
- (long)sum:(long)a :(long)b :(long)c :(long)d :(long)e :(long)f;
- (void)fail;
@end

/// Overrides keyDown: and calls super.
@interface View : Responder
@end
/// Inherits keyDown:.
@interface PlainView : View
@end
/// Overrides keyDown: and calls super.
@interface TextView : PlainView
@end

/// What keyDown: of a Responder, becomeFirstResponder of a Responder and keyDown: of a TextView do besides.
extern void (*in_base)(Responder *), (*in_become)(Responder *), (*in_text_view)(Responder *);
id make(Class type);
#define MAKE(type) ((type *)make([type class]))

#endif
