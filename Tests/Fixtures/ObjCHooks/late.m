// Loaded while the program runs: a category that replaces a method which the program has replaced, and a class.
#include "checks.h"

@interface View (Late)
@end
@implementation View (Late)
- (void)keyDown:(id)event {
    note("late category");
}
@end

@interface LateView : View
@end
@implementation LateView
- (void)keyDown:(id)event {
    note("late class");
    [super keyDown:event];
}
@end
