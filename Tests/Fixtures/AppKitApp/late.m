// Loaded while the app runs: a class with methods of its own, and a category that overrides one of the app's.
#import <AppKit/AppKit.h>
#include <stdio.h>

@interface LateView : NSView
@end

@implementation LateView
- (BOOL) acceptsFirstResponder { return YES; }
- (void) keyDown: (NSEvent *) event {
    printf("late view key %s\n", [[event characters] UTF8String]);
    fflush(stdout);
}
@end

@interface Canvas : NSView
@end
@interface Canvas (Late)
@end

@implementation Canvas (Late)
- (void) keyDown: (NSEvent *) event {
    printf("category key %s\n", [[event characters] UTF8String]);
    fflush(stdout);
}
@end
