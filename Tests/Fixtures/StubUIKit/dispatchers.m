// Four scripted dispatchers. They differ as the profiles ios13, ios15, ios26 and ios27 do: which entry a key takes, when
// key commands are read against the climb of the press and against text, and how often.
#import "UIKit.h"

static BOOL is_text_input(UIResponder *responder) {
    if ([responder respondsToSelector:@selector(isEditable)] && ![(UITextField *)responder isEditable]) return NO;
    return [responder respondsToSelector:@selector(insertText:)];
}

static BOOL matches(UIKeyCommand *command, UIKey *key) {
    NSInteger mask = UIKeyModifierShift | UIKeyModifierControl | UIKeyModifierAlternate | UIKeyModifierCommand;
    return [command->input isEqualToString:key->characters] && command->modifierFlags == (key->modifierFlags & mask);
}

// One pass over the chain, the menu after it. `found` may be NULL for a pass whose answers nobody uses.
static void collect(UIKey *key, NSMutableArray *found) {
    NSArray *menu = stub_main_menu();
    UIResponder *at;
    for (at = stub_start(); at != nil; at = [at nextResponder]) {
        for (UIKeyCommand *command in [at keyCommands]) {
            if (matches(command, key)) [found addObject:command];
        }
    }
    for (UIKeyCommand *command in menu) {
        if (matches(command, key)) [found addObject:command];
    }
}

static BOOL perform(UIKeyCommand *command, UIEvent *event) {
    id target = [stub_start() targetForAction:command->action withSender:command];
    if (target == nil) return NO;
    [stub_application sendAction:command->action to:target from:command forEvent:event];
    return YES;
}

// From iOS 15 on the first that matches decides, whether or not somebody performs it.
static BOOL run_commands(NSArray *found, BOOL priority, UIEvent *event) {
    for (UIKeyCommand *command in found) {
        if (command->priority != priority) continue;
        perform(command, event);
        return YES;
    }
    return NO;
}

static BOOL type(UIKey *key) {
    if (!is_text_input(stub_first_responder)) return NO;
    if ((key->modifierFlags & (UIKeyModifierCommand | UIKeyModifierControl)) != 0) return NO;
    if ([key->characters isEqualToString:@"\b"]) {
        [(UITextField *)stub_first_responder deleteBackward];
        return YES;
    }
    if ([key->characters length] != 1) return NO;
    stub_enqueue_text(key->characters);
    return YES;
}

// Tab goes to the items, arrows along them.
static BOOL move_focus(UIKey *key) {
    NSUInteger count = [stub_focus_items count];
    NSUInteger place = stub_focused_item == nil ? NSNotFound : [stub_focus_items indexOfObject:stub_focused_item];
    BOOL is_forward = key->keyCode == 0x4F || key->keyCode == 0x51, is_backward = key->keyCode == 0x50 || key->keyCode == 0x52;
    if (key->modifierFlags != 0 || is_text_input(stub_first_responder)) return NO;
    if (key->keyCode == 0x2B && place == NSNotFound && count > 0) place = 0;
    else if (is_forward && place != NSNotFound && place + 1 < count) place++;
    else if (is_backward && place != NSNotFound && place > 0) place--;
    else return NO;
    stub_move_focus([stub_focus_items objectAtIndex:place]);
    return YES;
}

static BOOL is_modifier(UIKey *key) { return key->keyCode >= 0xE0 && key->keyCode <= 0xE7; }

UIResponder *stub_press_receiver;

// False when a responder swallowed the press.
static BOOL climb(UIPressesEvent *event) {
    stub_press_receiver = stub_start();
    stub_climb_ended = NO;
    [stub_press_receiver pressesBegan:[event allPresses] withEvent:event];
    return stub_climb_ended;
}

// The end of a press goes to who got its beginning.
static BOOL ended(UIPressesEvent *event) {
    if (event->press->phase == UIPressPhaseCancelled) {
        [stub_press_receiver pressesCancelled:[event allPresses] withEvent:event];
    } else if (event->press->phase == UIPressPhaseEnded) {
        [stub_press_receiver pressesEnded:[event allPresses] withEvent:event];
    } else {
        return NO;
    }
    return YES;
}

// iOS 13: keys come by handleKeyUIEvent: alone, commands before text, and the lists are read again at the release.

static void deliver_13(struct stub_key key) {
    [stub_application handleKeyUIEvent:stub_event([UIPhysicalKeyboardEvent class], key)];
}

static void handle_13(UIPhysicalKeyboardEvent *event) {
    UIKey *key = event->press->key;
    if (is_modifier(key)) return;
    NSMutableArray *found = [NSMutableArray array];
    collect(key, found);
    if (![event _isKeyDown]) return;
    for (UIKeyCommand *command in found) {
        if (perform(command, event)) return;
    }
    type(key);
}

// iOS 15: the press climbs first, then the lists are read, and text comes before commands without priority. Repeats of
// commands are actions without an event, repeats of text are insertions without one.

static UIKeyCommand *repeating_command;
static BOOL repeats_text;

static void send_15(UIPressesEvent *event) {
    UIKey *key = event->press->key;
    if (ended(event) || !climb(event) || is_modifier(key)) return;
    NSMutableArray *found = [NSMutableArray array];
    collect(key, found);
    repeating_command = nil;
    repeats_text = NO;
    if (run_commands(found, YES, event)) return;
    if ((repeats_text = type(key)) || move_focus(key)) return;
    if (run_commands(found, NO, event)) repeating_command = [[found objectAtIndex:0] retain];
}

static void deliver_15(struct stub_key key) {
    UIPressesEvent *event = stub_event([UIPressesEvent class], key);
    if (!key.is_repeat) {
        [stub_application sendEvent:event];
    } else if (repeats_text) {
        collect(event->press->key, nil);
        type(event->press->key);
    } else if (repeating_command != nil) {
        NSMutableArray *found = [NSMutableArray array];
        collect(event->press->key, found);
        run_commands(found, NO, nil);
    }
}

// iOS 26 and 27: the shortcut is looked up and validated before sendEvent:, and repeats come by handleKeyUIEvent:. Commands
// come before the press where the first responder takes no text.

static NSArray *looked_up;

static void validate_first(NSArray *found) {
    if ([found count] == 0) return;
    UIKeyCommand *command = [found objectAtIndex:0];
    UICommand *copy = [[UICommand new] autorelease];
    copy->action = command->action;
    [stub_first_responder validateCommand:copy];
}

static void handle_26(UIPhysicalKeyboardEvent *event) {
    UIKey *key = event->press->key;
    NSMutableArray *found = [NSMutableArray array];
    if ([event _isKeyDown] && !is_modifier(key)) {
        collect(key, found);
        validate_first(found);
    }
    looked_up = found;
    if (!event->isRepeat) {
        [stub_application sendEvent:event];
    } else if (!type(key)) {
        run_commands(found, NO, event);
    }
    looked_up = nil;
}

static void send_26(UIPressesEvent *event) {
    UIKey *key = event->press->key;
    NSArray *found = looked_up;
    if (ended(event)) return;
    if (!is_modifier(key) && !is_text_input(stub_first_responder)) {
        stub_press_receiver = nil;
        if (run_commands(found, YES, event) || run_commands(found, NO, event)) return;
    }
    if (!climb(event) || is_modifier(key)) return;
    if (run_commands(found, YES, event) || type(key) || move_focus(key)) return;
    run_commands(found, NO, event);
}

static void deliver_26(struct stub_key key) {
    [stub_application handleKeyUIEvent:stub_event([UIPhysicalKeyboardEvent class], key)];
}

static void handle_nothing(UIPhysicalKeyboardEvent *event) {}
static void send_nothing(UIPressesEvent *event) {}

const struct stub_dispatcher stub_dispatchers[4] = {
    {"ios13", deliver_13, handle_13, send_nothing, NO},
    {"ios15", deliver_15, handle_nothing, send_15, YES},
    {"ios26", deliver_26, handle_26, send_26, YES},
    {"ios27", deliver_26, handle_26, send_26, YES},
};
const struct stub_dispatcher *stub_dispatcher = &stub_dispatchers[0];
