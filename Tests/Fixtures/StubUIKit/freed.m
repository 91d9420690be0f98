// An app whose responders and commands are gone when what they were sent returns. With NSZombieEnabled they are of
// another class then.
//
//     freed ios13|ios15|ios26|ios27 SCRIPT
#import "UIKit.h"

#include <stdio.h>

static UIView *page_view;
static UIWindow *window;

static UIKeyCommand *command(NSString *input, SEL action) {
    return [UIKeyCommand commandWithInput:input modifierFlags:UIKeyModifierCommand action:action];
}

// Whoever is shown goes away by itself, and the page is the first responder again.
static void take_away(UIResponder *responder) {
    [page_view becomeFirstResponder];
    if (stub_press_receiver == responder) stub_press_receiver = nil;
    [responder release];
}

// Text takes one letter.
@interface OneLetterField : UITextField
@end
@implementation OneLetterField
- (void)insertText:(NSString *)string { take_away(self); }
@end

// Its command is closed by its own action.
@interface Banner : UIView
@end
@implementation Banner
- (BOOL)canBecomeFirstResponder { return YES; }
- (NSArray *)keyCommands { return [NSArray arrayWithObject:command(@"w", @selector(closeBanner:))]; }
- (void)closeBanner:(id)sender { take_away(self); }
@end

// Keeps each press, and is gone by it.
@interface PressTaker : UIView
@end
@implementation PressTaker
- (BOOL)canBecomeFirstResponder { return YES; }
- (void)pressesBegan:(NSSet *)presses withEvent:(UIPressesEvent *)event { take_away(self); }
@end

// Sends an action by a press, which frees it.
@interface PressButton : UIView
@end
@implementation PressButton
- (BOOL)canBecomeFirstResponder { return YES; }
- (void)pressesBegan:(NSSet *)presses withEvent:(UIPressesEvent *)event {
    [stub_application sendAction:@selector(free:) to:page_view from:self forEvent:event];
}
@end

// Sends an action by a press, from a command that the action frees.
@interface CommandSender : UIView
@end
@implementation CommandSender
- (BOOL)canBecomeFirstResponder { return YES; }
- (void)pressesBegan:(NSSet *)presses withEvent:(UIPressesEvent *)event {
    UIKeyCommand *own = [UIKeyCommand new];
    own->input = [[NSString alloc] initWithFormat:@"%c", 'x'];
    own->action = @selector(freeCommand:);
    [stub_application sendAction:own->action to:page_view from:own forEvent:event];
    take_away(self);
}
@end

// Becomes the first responder and gives it away at once.
@interface Brief : UIView
@end
@implementation Brief
- (BOOL)becomeFirstResponder {
    [self release];
    return YES;
}
@end

// A sheet that is gone once it is dismissed.
@interface Sheet : UIViewController
@end
@implementation Sheet
- (BOOL)canBecomeFirstResponder { return YES; }
- (NSArray *)keyCommands { return [NSArray arrayWithObject:command(@"w", @selector(closeSheet:))]; }
- (void)closeSheet:(id)sender { [self dismissViewControllerAnimated:YES completion:nil]; }
- (void)dismissViewControllerAnimated:(BOOL)animated completion:(id)completion {
    [super dismissViewControllerAnimated:animated completion:completion];
    take_away(self);
}
@end

@interface PageView : UIView
@end
@implementation PageView
- (BOOL)canBecomeFirstResponder { return YES; }
- (NSArray *)keyCommands {
    return [NSArray arrayWithObjects:command(@"1", @selector(showField:)), command(@"2", @selector(showBanner:)),
                                     command(@"3", @selector(showTaker:)), command(@"4", @selector(showButton:)),
                                     command(@"5", @selector(showSender:)), command(@"6", @selector(showBrief:)),
                                     command(@"7", @selector(showSheet:)), nil];
}
- (void)show:(Class)type {
    UIView *view = [type new];
    view->superview = self;
    [view becomeFirstResponder];
}
- (void)showField:(id)sender { [self show:[OneLetterField class]]; }
- (void)showBanner:(id)sender { [self show:[Banner class]]; }
- (void)showTaker:(id)sender { [self show:[PressTaker class]]; }
- (void)showButton:(id)sender { [self show:[PressButton class]]; }
- (void)showSender:(id)sender { [self show:[CommandSender class]]; }
- (void)showBrief:(id)sender { [self show:[Brief class]]; }
- (void)showSheet:(id)sender {
    UIViewController *sheet = [Sheet new];
    [(UIViewController *)controller presentViewController:sheet animated:NO completion:nil];
    [sheet becomeFirstResponder];
}
- (void)free:(id)sender { take_away(sender); }
- (void)freeCommand:(id)sender { [sender release]; }
@end

int main(int count, char **arguments) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    UIApplication *app = [UIApplication new];
    window = [UIWindow new];
    window->controller = app;
    UIViewController *page = [UIViewController new];
    page->parent = window;
    page_view = [PageView new];
    page_view->controller = page;
    [window makeKeyAndVisible];
    [page_view becomeFirstResponder];
    if (count != 3 || !stub_run(app, arguments[1], arguments[2])) return 64;
    printf("first responder %s\n", [NSStringFromClass([stub_first_responder class]) UTF8String]);
    [pool release];
    return 0;
}
