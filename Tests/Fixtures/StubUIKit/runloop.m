// The main run loop of the stub: keys of a script, text that was queued, and observers that are called before it waits,
// by the names that CoreFoundation's run loop has.
#import "UIKit.h"

#include <objc/runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void (*observer_function)(const void *observer, unsigned long activity, void *info);
const void *kCFRunLoopCommonModes = "common modes";
static observer_function observers[4];
static size_t observer_count;

const void *CFRunLoopGetMain(void) { return observers; }

const void *CFRunLoopObserverCreate(
    const void *allocator, unsigned long activities, unsigned char repeats, long order, observer_function callout,
    void *context) {
    // kCFRunLoopBeforeWaiting is the only activity that the stub has.
    return activities == 1 << 5 && repeats ? (const void *)callout : NULL;
}

void CFRunLoopAddObserver(const void *loop, const void *observer, const void *mode) {
    if (loop != observers || mode != kCFRunLoopCommonModes || observer_count == 4) abort();
    observers[observer_count++] = (observer_function)observer;
}

static NSMutableArray *queue;

void stub_enqueue_text(NSString *text) {
    if (queue == nil) queue = [NSMutableArray new];
    [queue addObject:text];
}

static void wait_for_more(void) {
    while ([queue count] > 0) {
        NSString *text = [[[queue objectAtIndex:0] retain] autorelease];
        [queue removeObjectAtIndex:0];
        [(UITextField *)stub_first_responder insertText:text];
    }
    for (size_t index = 0; index < observer_count; index++) observers[index](observers[index], 1 << 5, NULL);
}

UIPressesEvent *stub_event(Class type, struct stub_key key) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    UIPressesEvent *event = [[type new] autorelease];
    UIPress *press = [[UIPress new] autorelease];
    press->key = [[UIKey new] autorelease];
    press->key->keyCode = key.usage;
    press->key->modifierFlags = key.flags;
    press->key->characters = [[key.characters copy] autorelease];
    press->phase = key.is_cancelled ? UIPressPhaseCancelled : !key.is_down ? UIPressPhaseEnded : key.is_repeat ? UIPressPhaseStationary : UIPressPhaseBegan;
    press->timestamp = now.tv_sec + now.tv_nsec / 1e9;
    press->window = stub_key_window;
    press->responder = stub_start();
    event->press = [press retain];
    [press->key retain];
    event->isRepeat = key.is_repeat;
    // A modifier that is held is in the set of every other key's event, as it was when it went down.
    static UIPress *modifier;
    if (key.is_modifier) {
        modifier = key.is_down ? [press retain] : nil;
    } else {
        event->heldPress = key.flags == 0 ? nil : modifier;
    }
    return event;
}

// A button of a remote or a game controller: a press without a key.
static void press_button(void) {
    UIPressesEvent *event = stub_event([UIPressesEvent class], (struct stub_key){0, 0, @"", YES, NO, NO, NO});
    event->press->key = nil;
    event->heldPress = nil;
    [stub_application sendEvent:event];
    event->press->phase = UIPressPhaseEnded;
    [stub_application sendEvent:event];
}

static void deliver(struct stub_key key) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    // Beside X, so that its button comes while a press is still the last one.
    if (stub_dispatcher->is_modern && key.usage == 0x1B && !key.is_down) press_button();
    stub_dispatcher->deliver(key);
    wait_for_more();
    [pool release];
}

static const struct {
    const char *name;
    int usage;
    const char *characters;
} named_keys[] = {
    {"esc", 0x29, "UIKeyInputEscape"}, {"delete", 0x2A, "\b"}, {"tab", 0x2B, "\t"}, {"space", 0x2C, " "},
    {"[", 0x2F, "["}, {",", 0x36, ","},
    {"right", 0x4F, "UIKeyInputRightArrow"}, {"left", 0x50, "UIKeyInputLeftArrow"},
    {"down", 0x51, "UIKeyInputDownArrow"}, {"up", 0x52, "UIKeyInputUpArrow"},
};

static BOOL find_key(const char *name, struct stub_key *key) {
    memset(key, 0, sizeof *key);
    if (strlen(name) == 1 && *name >= 'a' && *name <= 'z') key->usage = 4 + *name - 'a';
    if (strlen(name) == 1 && *name >= '1' && *name <= '9') key->usage = 0x1E + *name - '1';
    key->characters = [NSString stringWithUTF8String:name];
    for (size_t index = 0; index < sizeof named_keys / sizeof *named_keys; index++) {
        if (strcmp(named_keys[index].name, name) != 0) continue;
        key->usage = named_keys[index].usage;
        key->characters = [NSString stringWithUTF8String:named_keys[index].characters];
    }
    return key->usage != 0;
}

static void command_key(BOOL is_down) {
    struct stub_key key = {0xE3, is_down ? UIKeyModifierCommand : 0, @"", is_down, NO, YES, NO};
    deliver(key);
}

// A chord is a key, or cmd+ and a key. Repeats come after 400 ms and then every 100 ms; nobody waits for them.
static BOOL press(char *chord, int held_ms) {
    BOOL has_command = strncmp(chord, "cmd+", 4) == 0;
    struct stub_key key;
    if (!find_key(has_command ? chord + 4 : chord, &key)) return NO;
    if (has_command) command_key(YES);
    key.flags = has_command ? UIKeyModifierCommand : 0;
    key.is_down = YES;
    deliver(key);
    key.is_repeat = YES;
    for (int time = 400; time <= held_ms; time += 100) deliver(key);
    key.is_repeat = key.is_down = NO;
    deliver(key);
    if (has_command) command_key(NO);
    return YES;
}

static struct stub_key held_key;

static BOOL do_step(const char *verb, const char *name) {
    UIResponder *responder = nil;
    for (UIResponder *known in stub_responders) {
        if (strcmp(class_getName([known class]), name) == 0) responder = known;
    }
    if (strcmp(verb, "focus") == 0) return [responder becomeFirstResponder];
    if (strcmp(verb, "resign") == 0) return [stub_first_responder resignFirstResponder];
    if (strcmp(verb, "activate") == 0) {
        [(UIWindow *)responder makeKeyAndVisible];
        return responder == stub_key_window;
    }
    if (strcmp(verb, "present") == 0 || strcmp(verb, "dismiss") == 0) {
        UIViewController *controller = (UIViewController *)responder, *top = stub_root_controller;
        if (*verb == 'd') return [controller dismissViewControllerAnimated:NO completion:nil], YES;
        while (top->presentedViewController != nil) top = top->presentedViewController;
        return [top presentViewController:controller animated:NO completion:nil], YES;
    }
    if (strcmp(verb, "deactivate") != 0) return NO;
    if (held_key.usage != 0) {
        held_key.is_down = NO;
        held_key.is_cancelled = YES;
        // Under one dispatcher the receivers get it without an event.
        if (strcmp(stub_dispatcher->name, "ios27") == 0) {
            UIPressesEvent *event = stub_event([UIPressesEvent class], held_key);
            [stub_press_receiver pressesCancelled:[event allPresses] withEvent:event];
        } else {
            deliver(held_key);
        }
        held_key.usage = 0;
    }
    return YES;
}

static BOOL hold_key(char *name) {
    if (*name >= 'A' && *name <= 'Z') *name += 'a' - 'A';
    if (!find_key(name, &held_key)) return NO;
    held_key.is_down = YES;
    deliver(held_key);
    return YES;
}

static BOOL run_step(char *line) {
    char verb[16] = "", word[64] = "", time[32] = "";
    if (sscanf(line, "%15s %63s %31s", verb, word, time) < 2) return *verb == 0 || *verb == '#';
    if (strcmp(verb, "keys") == 0) return YES;
    if (strcmp(verb, "press") == 0) return press(word, 0);
    if (strcmp(verb, "do") == 0) return do_step(word, time);
    // The release is lost, as when another app comes to the front: the next event's flags tell.
    if (strcmp(verb, "down") == 0 && strcmp(word, "LeftGUI") == 0) command_key(YES);
    if (strcmp(word, "LeftGUI") == 0) return YES;
    if (strcmp(verb, "down") == 0) return hold_key(word);
    if (strcmp(verb, "hold") == 0) return press(word, atoi(time));
    if (strcmp(verb, "type") != 0) return NO;
    for (char *at = word; *at != 0; at++) {
        char name[2] = {*at, 0};
        if (!press(name, 0)) return NO;
    }
    return YES;
}

static FILE *script;

BOOL stub_run_step(void) {
    char line[128];
    if (fgets(line, sizeof line, script) == NULL) return NO;
    if (run_step(line)) return YES;
    fprintf(stderr, "StubUIKit: expected a step, found %s", line);
    exit(64);
}

static BOOL wants_priority(UIKeyCommand *command, SEL selector) { return command->priority; }

BOOL stub_run(UIApplication *application, const char *dispatcher, const char *path) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    stub_dispatcher = NULL;
    for (size_t index = 0; index < sizeof stub_dispatchers / sizeof *stub_dispatchers; index++) {
        if (strcmp(stub_dispatchers[index].name, dispatcher) == 0) stub_dispatcher = &stub_dispatchers[index];
    }
    script = fopen(path, "r");
    if (stub_dispatcher == NULL || script == NULL) return NO;
    // Commands of iOS 13 do not have it.
    if (stub_dispatcher->is_modern) {
        class_addMethod(
            [UIKeyCommand class], @selector(wantsPriorityOverSystemBehavior), (IMP)wants_priority, "C16@0:8");
    }
    stub_application = application;
    stub_main_menu();
    wait_for_more();
    while (stub_run_step()) {}
    fclose(script);
    [pool release];
    return YES;
}
