// An app of two windows, each with a focus of its own, and of a text that is only read.
//
//     windows ios15|ios26|ios27 SCRIPT
#import "UIKit.h"

@interface Book : UIView
@end
@implementation Book
- (NSArray *)keyCommands {
    return [NSArray arrayWithObject:[UIKeyCommand commandWithInput:@"w"
                                                     modifierFlags:UIKeyModifierCommand
                                                            action:@selector(closeBook:)]];
}
- (void)closeBook:(id)sender {}
@end

@interface FirstBook : Book
@end
@implementation FirstBook
@end

@interface SecondBook : Book
@end
@implementation SecondBook
@end

@interface ReadOnlyText : UITextField
@end
@implementation ReadOnlyText
- (BOOL)isEditable { return NO; }
@end

@interface FirstWindow : UIWindow
@end
@implementation FirstWindow
- (NSArray *)keyCommands {
    return [NSArray arrayWithObject:[UIKeyCommand commandWithInput:@"n" modifierFlags:0 action:@selector(nextPage:)]];
}
- (void)nextPage:(id)sender {}
@end

@interface SecondWindow : UIWindow
@end
@implementation SecondWindow
@end

int main(int count, char **arguments) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    UIApplication *app = [UIApplication new];
    UIWindow *first = [FirstWindow new], *second = [SecondWindow new];
    UIView *first_book = [FirstBook new], *text = [ReadOnlyText new];
    second->focusedItem = [SecondBook new];
    first->controller = second->controller = app;
    first_book->superview = text->superview = first;
    second->focusedItem->superview = second;
    stub_responders = [[NSArray alloc] initWithObjects:first, second, text, nil];
    [first makeKeyAndVisible];
    stub_move_focus(first_book);
    if (count != 3 || !stub_run(app, arguments[1], arguments[2])) return 64;
    [pool release];
    return 0;
}
