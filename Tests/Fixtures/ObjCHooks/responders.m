#include "checks.h"

#include <stdio.h>

void (*in_base)(Responder *);
void (*in_become)(Responder *);
void (*in_text_view)(Responder *);

id make(Class type) { return class_createInstance(type, 0); }

@implementation Object (Fixture)
+ (Class)class {
    return self;
}
@end

@implementation Responder
- (void)keyDown:(id)event {
    if (in_base != NULL) in_base(self);
}
- (void)keyUp:(id)event {
    note("key up");
}
- (BOOL)becomeFirstResponder {
    if (in_become != NULL) in_become(self);
    return YES;
}
- (BOOL)performKeyEquivalent:(id)event {
    return next != nil && [next performKeyEquivalent:event];
}
- (id)targetForAction:(SEL)action to:(id)target from:(id)sender {
    return sel_isEqual(action, @selector(copy:)) ? target : sender;
}
- (BOOL)sendAction:(SEL)action to:(id)target from:(id)sender forEvent:(id)event {
    note("send %s %d %d %d", sel_getName(action), target == self, sender == nil, event == next);
    return event == next;
}
- (void)insertText:(id)text replacementRange:(Range)range {
    note("insert %d %lu %lu", text == self, range.location, range.length);
}
- (void)setMarkedText:(id)text selectedRange:(Range)selected replacementRange:(Range)replaced {
    note("mark %d %lu %lu %lu %lu", text == self, selected.location, selected.length, replaced.location,
         replaced.length);
}
- (long)sum:(long)a :(long)b :(long)c :(long)d :(long)e :(long)f {
    return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f;
}
- (void)fail {
    @throw self;
}
@end

@implementation View
- (void)keyDown:(id)event {
    [super keyDown:event];
}
@end
@implementation PlainView
@end
@implementation TextView
- (void)keyDown:(id)event {
    if (in_text_view != NULL) in_text_view(self);
    else [super keyDown:event];
}
@end
