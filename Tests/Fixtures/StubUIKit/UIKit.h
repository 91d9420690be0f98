// A UIKit to test against: classes of our own with the names and selectors of UIKit's public headers, as far as keys
// need them. What a dispatcher does with a key is in dispatchers.m. Nothing here draws, and nothing of it is Apple's.
#ifndef STUB_UIKIT_H
#define STUB_UIKIT_H

#import <Foundation/Foundation.h>

enum { UIKeyModifierShift = 1 << 17, UIKeyModifierControl = 1 << 18, UIKeyModifierAlternate = 1 << 19,
       UIKeyModifierCommand = 1 << 20 };
enum { UIPressPhaseBegan = 0, UIPressPhaseStationary = 2, UIPressPhaseEnded = 3, UIPressPhaseCancelled = 4 };

@class UIFocusUpdateContext, UIPressesEvent, UIResponder, UIWindow;

@interface UICommand : NSObject {
  @public
    SEL action;
    NSUInteger attributes;
}
- (SEL)action;
- (NSUInteger)attributes;
- (void)setAttributes:(NSUInteger)value;
@end

@interface UIKeyCommand : UICommand {
  @public
    NSString *input;
    NSInteger modifierFlags;
    BOOL priority;
}
+ (UIKeyCommand *)commandWithInput:(NSString *)input modifierFlags:(NSInteger)flags action:(SEL)action;
- (NSString *)input;
- (NSInteger)modifierFlags;
@end

@interface UIKey : NSObject {
  @public
    NSInteger keyCode, modifierFlags;
    NSString *characters;
}
- (NSInteger)keyCode;
- (NSInteger)modifierFlags;
- (NSString *)charactersIgnoringModifiers;
@end

@interface UIPress : NSObject {
  @public
    UIKey *key;
    NSInteger phase;
    double timestamp;
    UIWindow *window;
    UIResponder *responder;
}
- (UIKey *)key;
- (NSInteger)phase;
- (double)timestamp;
- (UIWindow *)window;
- (UIResponder *)responder;
@end

@interface UIEvent : NSObject
- (NSInteger)type;
- (double)timestamp;
@end

@interface UIPressesEvent : UIEvent {
  @public
    UIPress *press;
    // Another key that is held, which the event is not about.
    UIPress *heldPress;
    BOOL isRepeat;
}
- (NSSet *)allPresses;
@end

// The event of handleKeyUIEvent:. Its getters are private.
@interface UIPhysicalKeyboardEvent : UIPressesEvent
- (long)_keyCode;
- (BOOL)_isKeyDown;
- (NSInteger)_modifierFlags;
- (BOOL)_isARepeat;
@end

@interface UIResponder : NSObject
- (UIResponder *)nextResponder;
- (BOOL)canBecomeFirstResponder;
- (BOOL)becomeFirstResponder;
- (BOOL)resignFirstResponder;
- (BOOL)isFirstResponder;
- (NSArray *)keyCommands;
- (BOOL)canPerformAction:(SEL)action withSender:(id)sender;
- (id)targetForAction:(SEL)action withSender:(id)sender;
- (void)validateCommand:(UICommand *)command;
- (void)pressesBegan:(NSSet *)presses withEvent:(UIPressesEvent *)event;
- (void)pressesChanged:(NSSet *)presses withEvent:(UIPressesEvent *)event;
- (void)pressesEnded:(NSSet *)presses withEvent:(UIPressesEvent *)event;
- (void)pressesCancelled:(NSSet *)presses withEvent:(UIPressesEvent *)event;
- (void)buildMenuWithBuilder:(id)builder;
@end

@interface UIView : UIResponder {
  @public
    UIView *superview;
    UIResponder *controller;
}
- (UIWindow *)window;
- (void)didUpdateFocusInContext:(UIFocusUpdateContext *)context withAnimationCoordinator:(id)coordinator;
@end

@interface UIFocusUpdateContext : NSObject {
  @public
    UIView *previous, *next;
}
- (UIView *)previouslyFocusedItem;
- (UIView *)nextFocusedItem;
@end

@interface UIWindow : UIView {
  @public
    // While another window is key.
    UIView *focusedItem;
}
- (void)makeKeyAndVisible;
- (void)becomeKeyWindow;
- (void)resignKeyWindow;
@end

@interface UIWindowScene : UIResponder
@end

@interface UITextField : UIView {
  @public
    NSMutableString *text;
    BOOL secure;
}
- (void)insertText:(NSString *)string;
- (void)deleteBackward;
- (BOOL)isSecureTextEntry;
- (NSString *)textContentType;
@end

// Of text views.
@interface UITextField (Reading)
- (BOOL)isEditable;
@end

@interface UIViewController : UIResponder {
  @public
    UIResponder *parent;
    UIViewController *presentingViewController, *presentedViewController;
}
- (void)didUpdateFocusInContext:(UIFocusUpdateContext *)context withAnimationCoordinator:(id)coordinator;
- (UIViewController *)presentingViewController;
- (UIViewController *)presentedViewController;
- (void)presentViewController:(UIViewController *)controller animated:(BOOL)animated completion:(id)completion;
- (void)dismissViewControllerAnimated:(BOOL)animated completion:(id)completion;
@end

@interface UINavigationController : UIViewController
@end
@interface UITabBarController : UIViewController
@end

// The idiom is the phone's: the stub has no menu bar, and yet a focus system, which a scene may declare as well.
@interface UIDevice : NSObject
+ (UIDevice *)currentDevice;
- (NSInteger)userInterfaceIdiom;
@end

@interface UIFocusSystem : NSObject {
  @public
    UIWindow *window;
}
+ (UIFocusSystem *)focusSystemForEnvironment:(id)environment;
- (UIView *)focusedItem;
@end

// Collects the commands of the main menu.
@interface UIMenuBuilder : NSObject {
  @public
    NSMutableArray *commands;
}
- (void)addCommand:(UIKeyCommand *)command;
@end

@interface UIMenuSystem : NSObject
+ (UIMenuSystem *)mainSystem;
- (void)setNeedsRebuild;
@end

@interface UIApplication : UIResponder {
  @public
    UIResponder *delegate;
}
+ (UIApplication *)sharedApplication;
- (UIResponder *)delegate;
- (void)sendEvent:(UIEvent *)event;
- (void)handleKeyUIEvent:(UIEvent *)event;
- (BOOL)sendAction:(SEL)action to:(id)target from:(id)sender forEvent:(UIEvent *)event;
@end

extern UIApplication *stub_application;
extern UIWindow *stub_key_window;
extern UIResponder *stub_first_responder;
// Items that can have the focus, in their order, and the one that has it in the key window.
extern NSArray *stub_focus_items;
extern UIView *stub_focused_item;
// Responders that a script names, by their classes.
extern NSArray *stub_responders;
extern UIViewController *stub_root_controller;

// Gives an item the focus; the first responder moves to the item or up its chain. Both items and all around them get the
// update.
void stub_move_focus(UIView *item);

// Where keys begin: the focused item, else the first responder.
UIResponder *stub_start(void);
// Who got pressesBegan, for its end.
extern UIResponder *stub_press_receiver;
// A raw press got to the end of the chain.
extern BOOL stub_climb_ended;

// Launches the app, lets the main run loop wait once, and delivers the keys of a script as the dispatcher of this name
// does. False where there is no such script or dispatcher.
BOOL stub_run(UIApplication *application, const char *dispatcher, const char *path);

// Runs the next step of the script, as an event loop inside a responder does. False at the end.
BOOL stub_run_step(void);

// One key event, as the hardware has it.
struct stub_key {
    int usage;
    NSInteger flags;
    NSString *characters;
    BOOL is_down, is_repeat, is_modifier, is_cancelled;
};

// How a version of the system handles a key.
struct stub_dispatcher {
    const char *name;
    void (*deliver)(struct stub_key key);
    // Called by UIApplication's own implementations.
    void (*handle_key_event)(UIPhysicalKeyboardEvent *event);
    void (*send_event)(UIPressesEvent *event);
    // Presses have a key (13.4), and commands may want priority (15).
    BOOL is_modern;
};
extern const struct stub_dispatcher stub_dispatchers[4];
extern const struct stub_dispatcher *stub_dispatcher;

// Runs later on the main thread, before the run loop waits.
void stub_enqueue_text(NSString *text);
UIPressesEvent *stub_event(Class type, struct stub_key key);
NSArray *stub_main_menu(void);

#endif
