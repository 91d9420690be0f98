#import "UIKit.h"

UIApplication *stub_application;
UIWindow *stub_key_window;
UIResponder *stub_first_responder;
BOOL stub_climb_ended;
NSArray *stub_focus_items, *stub_responders;
UIView *stub_focused_item;
UIViewController *stub_root_controller;
static BOOL focus_is_moving;

UIResponder *stub_start(void) { return stub_focused_item != nil ? stub_focused_item : stub_first_responder; }

@implementation UICommand
- (SEL)action { return action; }
- (NSUInteger)attributes { return attributes; }
- (void)setAttributes:(NSUInteger)value { attributes = value; }
@end

@implementation UIKeyCommand
+ (UIKeyCommand *)commandWithInput:(NSString *)input modifierFlags:(NSInteger)flags action:(SEL)action {
    UIKeyCommand *command = [[self new] autorelease];
    command->input = [input copy];
    command->modifierFlags = flags;
    command->action = action;
    return command;
}
- (void)dealloc {
    [input release];
    [super dealloc];
}
- (NSString *)input { return input; }
- (NSInteger)modifierFlags { return modifierFlags; }
@end

@implementation UIKey
- (NSInteger)keyCode { return keyCode; }
- (NSInteger)modifierFlags { return modifierFlags; }
- (NSString *)charactersIgnoringModifiers { return characters; }
@end

@implementation UIPress
- (UIKey *)key { return stub_dispatcher->is_modern ? key : nil; }
- (NSInteger)phase { return phase; }
- (double)timestamp { return timestamp; }
- (UIWindow *)window { return window; }
- (UIResponder *)responder { return responder; }
@end

@implementation UIEvent
- (NSInteger)type { return 0; }
- (double)timestamp { return 0; }
@end

@implementation UIPressesEvent
- (NSInteger)type { return 3; }
- (double)timestamp { return press->timestamp; }
- (NSSet *)allPresses { return [NSSet setWithObjects:press, heldPress, nil]; }
@end

@implementation UIPhysicalKeyboardEvent
- (NSInteger)type { return stub_dispatcher->is_modern ? 3 : 4; }
- (long)_keyCode { return press->key->keyCode; }
- (NSInteger)_modifierFlags { return press->key->modifierFlags; }
- (BOOL)_isKeyDown { return press->phase < UIPressPhaseEnded; }
- (BOOL)_isARepeat { return isRepeat; }
@end

@implementation UIResponder
- (void)dealloc { [super dealloc]; }
- (UIResponder *)nextResponder { return nil; }
- (BOOL)canBecomeFirstResponder { return NO; }
- (BOOL)isFirstResponder { return stub_first_responder == self; }
- (BOOL)becomeFirstResponder {
    if (stub_first_responder == self) return YES;
    if (![self canBecomeFirstResponder]) return NO;
    if (stub_first_responder != nil && ![stub_first_responder resignFirstResponder]) return NO;
    stub_first_responder = self;
    if (!focus_is_moving && stub_focused_item != nil) stub_move_focus(nil);
    return YES;
}
- (BOOL)resignFirstResponder {
    if (stub_first_responder == self) stub_first_responder = nil;
    return YES;
}
- (NSArray *)keyCommands { return nil; }
- (BOOL)canPerformAction:(SEL)action withSender:(id)sender { return [self respondsToSelector:action]; }
- (id)targetForAction:(SEL)action withSender:(id)sender {
    if ([self canPerformAction:action withSender:sender]) return self;
    return [[self nextResponder] targetForAction:action withSender:sender];
}
- (void)validateCommand:(UICommand *)command {}
// The four forward their own selector, whatever it is.
- (void)pressesBegan:(NSSet *)presses withEvent:(UIPressesEvent *)event {
    if ([self nextResponder] == nil) stub_climb_ended = YES;
    [[self nextResponder] performSelector:_cmd withObject:presses withObject:event];
}
- (void)pressesChanged:(NSSet *)presses withEvent:(UIPressesEvent *)event {
    [[self nextResponder] performSelector:_cmd withObject:presses withObject:event];
}
- (void)pressesEnded:(NSSet *)presses withEvent:(UIPressesEvent *)event {
    [[self nextResponder] performSelector:_cmd withObject:presses withObject:event];
}
- (void)pressesCancelled:(NSSet *)presses withEvent:(UIPressesEvent *)event {
    [[self nextResponder] performSelector:_cmd withObject:presses withObject:event];
}
- (void)buildMenuWithBuilder:(id)builder {}
@end

@implementation UIView
- (UIResponder *)nextResponder { return controller != nil ? controller : superview; }
- (UIWindow *)window {
    UIResponder *at = self;
    while (at != nil && ![at isKindOfClass:[UIWindow class]]) at = [at nextResponder];
    return (UIWindow *)at;
}
- (void)didUpdateFocusInContext:(UIFocusUpdateContext *)context withAnimationCoordinator:(id)coordinator {}
@end

@implementation UIFocusUpdateContext
- (UIView *)previouslyFocusedItem { return previous; }
- (UIView *)nextFocusedItem { return next; }
@end

void stub_move_focus(UIView *item) {
    UIFocusUpdateContext *context = [[UIFocusUpdateContext new] autorelease];
    context->previous = stub_focused_item;
    context->next = stub_focused_item = item;
    focus_is_moving = YES;
    UIResponder *first = item;
    while (first != nil && first != stub_first_responder && ![first becomeFirstResponder]) first = [first nextResponder];
    focus_is_moving = NO;
    NSMutableArray *told = [NSMutableArray array];
    for (int side = 0; side < 2; side++) {
        for (UIResponder *at = side == 0 ? context->previous : item; at != nil; at = [at nextResponder]) {
            if ([told containsObject:at]) continue;
            if (![at respondsToSelector:@selector(didUpdateFocusInContext:withAnimationCoordinator:)]) continue;
            [told addObject:at];
            [(UIView *)at didUpdateFocusInContext:context withAnimationCoordinator:nil];
        }
    }
}

@implementation UIWindow
- (UIResponder *)nextResponder { return superview != nil ? superview : controller; }
- (void)makeKeyAndVisible {
    if (stub_key_window == self) return;
    if (stub_key_window != nil) stub_key_window->focusedItem = stub_focused_item;
    [stub_key_window resignKeyWindow];
    stub_key_window = self;
    stub_focused_item = focusedItem;
    [self becomeKeyWindow];
}
- (void)becomeKeyWindow {}
- (void)resignKeyWindow {}
@end

@implementation UIWindowScene
- (UIResponder *)nextResponder { return [UIApplication sharedApplication]; }
@end

@implementation UITextField
- (BOOL)canBecomeFirstResponder { return YES; }
- (void)insertText:(NSString *)string {
    if (text == nil) text = [NSMutableString new];
    [text appendString:string];
}
- (void)deleteBackward {
    if ([text length] > 0) [text deleteCharactersInRange:NSMakeRange([text length] - 1, 1)];
}
- (BOOL)isSecureTextEntry { return secure; }
- (NSString *)textContentType { return nil; }
@end

@implementation UIViewController
- (UIResponder *)nextResponder { return presentingViewController != nil ? presentingViewController : parent; }
- (void)didUpdateFocusInContext:(UIFocusUpdateContext *)context withAnimationCoordinator:(id)coordinator {}
- (UIViewController *)presentingViewController { return presentingViewController; }
- (UIViewController *)presentedViewController { return presentedViewController; }
- (void)presentViewController:(UIViewController *)controller animated:(BOOL)animated completion:(id)completion {
    presentedViewController = controller;
    controller->presentingViewController = self;
}
- (void)dismissViewControllerAnimated:(BOOL)animated completion:(id)completion {
    UIViewController *presenter = presentedViewController != nil ? self : presentingViewController;
    [presenter->presentedViewController resignFirstResponder];
    presenter->presentedViewController->presentingViewController = nil;
    presenter->presentedViewController = nil;
}
@end

@implementation UINavigationController
@end
@implementation UITabBarController
@end

@implementation UIDevice
+ (UIDevice *)currentDevice {
    static UIDevice *device;
    if (device == nil) device = [self new];
    return device;
}
- (NSInteger)userInterfaceIdiom { return 0; }
@end

@implementation UIFocusSystem
+ (UIFocusSystem *)focusSystemForEnvironment:(id)environment {
    if (!stub_dispatcher->is_modern) return nil;
    UIFocusSystem *system = [[self new] autorelease];
    system->window = environment;
    return system;
}
- (UIView *)focusedItem { return window == stub_key_window ? stub_focused_item : window->focusedItem; }
@end

@implementation UIMenuBuilder
- (void)addCommand:(UIKeyCommand *)command {
    if (commands == nil) commands = [NSMutableArray new];
    [commands addObject:command];
}
@end

static NSArray *main_menu;

@implementation UIMenuSystem
+ (UIMenuSystem *)mainSystem {
    static UIMenuSystem *main_system;
    if (main_system == nil) main_system = [self new];
    return main_system;
}
- (void)setNeedsRebuild { main_menu = nil; }
@end

// Only the application and its delegate are asked, once until the menu is declared out of date.
NSArray *stub_main_menu(void) {
    if (main_menu == nil) {
        UIMenuBuilder *builder = [UIMenuBuilder new];
        [stub_application buildMenuWithBuilder:builder];
        [stub_application->delegate buildMenuWithBuilder:builder];
        main_menu = [builder->commands retain];
    }
    return main_menu;
}

@implementation UIApplication
+ (UIApplication *)sharedApplication { return stub_application; }
- (UIResponder *)delegate { return delegate; }
- (UIResponder *)nextResponder { return delegate; }
- (void)sendEvent:(UIEvent *)event {
    UIPressesEvent *presses = (UIPressesEvent *)event;
    if (presses->press->key != nil) return stub_dispatcher->send_event(presses);
    if (presses->press->phase == UIPressPhaseEnded) {
        [stub_start() pressesEnded:[presses allPresses] withEvent:presses];
    } else {
        [stub_start() pressesBegan:[presses allPresses] withEvent:presses];
    }
}
- (void)handleKeyUIEvent:(UIEvent *)event { stub_dispatcher->handle_key_event((UIPhysicalKeyboardEvent *)event); }
- (BOOL)sendAction:(SEL)action to:(id)target from:(id)sender forEvent:(UIEvent *)event {
    if (target == nil) target = [stub_start() targetForAction:action withSender:sender];
    if (target == nil) return NO;
    [target performSelector:action withObject:sender];
    return YES;
}
@end
