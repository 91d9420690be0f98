// A reader of documents: twelve responders, with a navigation controller in a tab, a search field, a passcode field, a
// menu and a sheet. It prints what each action did, so that two runs can be compared.
//
//     app ios13|ios15|ios26|ios27 SCRIPT
#import "UIKit.h"

#include <objc/runtime.h>
#include <stdio.h>

#define ACTION(name) - (void)name:(id)sender { printf("%s %s\n", class_getName([self class]), #name); }

static UIKeyCommand *command(NSString *input, NSInteger flags, SEL action) {
    return [UIKeyCommand commandWithInput:input modifierFlags:flags action:action];
}

static UIKeyCommand *priority(UIKeyCommand *command) {
    command->priority = YES;
    return command;
}

@interface ShelfView : UIView
@end
@implementation ShelfView
@end
@interface FirstBook : UIView
@end
@implementation FirstBook
@end
@interface SecondBook : UIView
@end
@implementation SecondBook
- (void)didUpdateFocusInContext:(UIFocusUpdateContext *)context withAnimationCoordinator:(id)coordinator {
    printf("SecondBook %s\n", [context nextFocusedItem] == self ? "focused" : "left");
}
@end

@interface SearchField : UITextField
@end
@implementation SearchField
@end

@interface PasscodeField : UITextField
@end
@implementation PasscodeField
@end

static UITextField *search_field, *passcode_field;
static UIView *page_view;
static UIViewController *settings_sheet, *notes_controller;

@interface PageView : UIView
@end
@implementation PageView
- (BOOL)canBecomeFirstResponder { return YES; }
- (NSArray *)keyCommands {
    return [NSArray arrayWithObjects:command(@"UIKeyInputLeftArrow", UIKeyModifierCommand, @selector(firstPage:)),
                                     command(@"UIKeyInputDownArrow", UIKeyModifierCommand, @selector(nextPage:)),
                                     command(@"j", 0, @selector(lineDown:)), nil];
}
ACTION(firstPage)
ACTION(nextPage)
ACTION(lineDown)
@end

@interface PageController : UIViewController
@end
@implementation PageController
- (NSArray *)keyCommands {
    return [NSArray arrayWithObjects:command(@"f", UIKeyModifierCommand, @selector(find:)),
                                     command(@"l", UIKeyModifierCommand, @selector(lock:)),
                                     command(@",", UIKeyModifierCommand, @selector(showSettings:)),
                                     priority(command(@"UIKeyInputEscape", 0, @selector(endEntry:))), nil];
}
- (BOOL)canPerformAction:(SEL)action withSender:(id)sender {
    if (sel_isEqual(action, @selector(endEntry:))) return [stub_first_responder isKindOfClass:[UITextField class]];
    return [super canPerformAction:action withSender:sender];
}
- (void)find:(id)sender {
    printf("find\n");
    [search_field becomeFirstResponder];
}
- (void)lock:(id)sender {
    printf("lock\n");
    [passcode_field becomeFirstResponder];
}
- (void)endEntry:(id)sender {
    printf("endEntry\n");
    [page_view becomeFirstResponder];
}
- (void)showSettings:(id)sender {
    printf("showSettings\n");
    [(UIViewController *)parent presentViewController:settings_sheet animated:YES completion:nil];
    [settings_sheet becomeFirstResponder];
}
ACTION(duplicate)
@end

@interface SettingsSheet : UIViewController
@end
@implementation SettingsSheet
- (BOOL)canBecomeFirstResponder { return YES; }
- (NSArray *)keyCommands {
    return [NSArray arrayWithObject:command(@"UIKeyInputEscape", 0, @selector(closeSettings:))];
}
- (void)closeSettings:(id)sender {
    printf("closeSettings\n");
    [self dismissViewControllerAnimated:YES completion:nil];
    [page_view becomeFirstResponder];
}
@end

@interface NotesController : UIViewController
@end
@implementation NotesController
- (BOOL)canBecomeFirstResponder { return YES; }
- (void)pressesBegan:(NSSet *)presses withEvent:(UIPressesEvent *)event {
    UIPress *press = [presses anyObject];
    // Keeps K, and runs an event loop at M.
    NSInteger code = press->key == nil ? 0 : press->key->keyCode;
    if (code == 0x0E) return;
    if (code == 0x10) stub_run_step();
    [super pressesBegan:presses withEvent:event];
}
@end

@interface LibraryNavigation : UINavigationController
@end
@implementation LibraryNavigation
- (NSArray *)keyCommands {
    return [NSArray arrayWithObjects:command(@"[", UIKeyModifierCommand, @selector(goBack:)),
                                     command(@"UIKeyInputLeftArrow", UIKeyModifierCommand, @selector(goBack:)), nil];
}
ACTION(goBack)
@end

@interface TabsController : UITabBarController
@end
@implementation TabsController
- (NSArray *)keyCommands {
    return [NSArray arrayWithObjects:command(@"1", UIKeyModifierCommand, @selector(selectLibrary:)),
                                     command(@"2", UIKeyModifierCommand, @selector(selectNotes:)),
                                     command(@"w", UIKeyModifierCommand, @selector(closeTab:)), nil];
}
- (void)selectLibrary:(id)sender {
    printf("selectLibrary\n");
    [page_view becomeFirstResponder];
}
- (void)selectNotes:(id)sender {
    printf("selectNotes\n");
    [notes_controller becomeFirstResponder];
}
ACTION(closeTab)
@end

@interface ReaderApplication : UIApplication
@end
@implementation ReaderApplication
- (NSArray *)keyCommands {
    return [NSArray arrayWithObjects:command(@"w", UIKeyModifierCommand, @selector(closeWindow:)),
                                     command(@"n", UIKeyModifierCommand, @selector(newDocument:)), nil];
}
ACTION(closeWindow)
ACTION(newDocument)
@end

@interface AppDelegate : UIResponder
@end
@implementation AppDelegate
- (void)buildMenuWithBuilder:(UIMenuBuilder *)builder {
    [builder addCommand:command(@"d", UIKeyModifierCommand, @selector(duplicate:))];
}
@end

static UIApplication *make_app(void) {
    UIApplication *app = [ReaderApplication new];
    app->delegate = [AppDelegate new];
    UIWindow *window = [UIWindow new];
    window->controller = [UIWindowScene new];
    UIViewController *tabs = [TabsController new];
    tabs->parent = window;
    UIViewController *navigation = [LibraryNavigation new];
    navigation->parent = tabs;
    UIViewController *page = [PageController new];
    page->parent = navigation;
    notes_controller = [NotesController new];
    notes_controller->parent = tabs;
    settings_sheet = [SettingsSheet new];
    page_view = [PageView new];
    page_view->controller = page;
    search_field = [SearchField new];
    search_field->superview = page_view;
    passcode_field = [PasscodeField new];
    passcode_field->superview = page_view;
    passcode_field->secure = YES;
    UIView *shelf = [ShelfView new], *first_book = [FirstBook new], *second_book = [SecondBook new];
    shelf->superview = page_view;
    first_book->superview = second_book->superview = shelf;
    stub_focus_items = [[NSArray alloc] initWithObjects:first_book, second_book, nil];
    stub_responders = [[NSArray alloc] initWithObjects:page_view, search_field, settings_sheet, window, nil];
    stub_root_controller = tabs;
    [window makeKeyAndVisible];
    [page_view becomeFirstResponder];
    return app;
}

int main(int count, char **arguments) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    if (count != 3 || !stub_run(make_app(), arguments[1], arguments[2])) return 64;
    printf("search: %s\npasscode: %s\n", [search_field->text UTF8String], [passcode_field->text UTF8String]);
    [pool release];
    return 0;
}
