// An AppKit app that nobody prepared, with what is hard to record. It reports what happens in it on standard output, in
// lines that are the same in every run of one key script: a run under observation must print the same.
#import <AppKit/AppKit.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void report(NSString *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    NSString *line = [[NSString alloc] initWithFormat: format arguments: arguments];
    va_end(arguments);
    printf("%s\n", [line UTF8String]);
    fflush(stdout);
    [line release];
}

/// How the app ends, where FIXTURE_END names another end than a quit: it dies of a key, never quits or hangs as it quits,
/// is busy, or a key's action sends a signal or has a thread that ends it.
static BOOL ends(const char *how) {
    const char *end = getenv("FIXTURE_END");
    return end != NULL && strcmp(end, how) == 0;
}

/// An app that is not the same in every run, where FIXTURE_TURN names a file that is there in every second one.
static BOOL isOddRun(void) {
    const char *turn = getenv("FIXTURE_TURN");
    if (turn == NULL || unlink(turn) == 0) return NO;
    fclose(fopen(turn, "w"));
    return YES;
}

/// Held by a key's action while it sends its own process SIGTERM, and needed to quit.
static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;

/// When the canvas has handled each key, where FIXTURE_TIMES names a file.
static FILE *handled;

/// Handles each key by itself. KVO changes its class.
@interface Canvas : NSView {
    int _level;
}
- (int) level;
- (void) setLevel: (int) level;
@end

@implementation Canvas
- (BOOL) acceptsFirstResponder { return YES; }
- (int) level { return _level; }
- (void) setLevel: (int) level { _level = level; }
- (void) keyDown: (NSEvent *) event {
    [self setLevel: _level + 1];
    if (handled != NULL) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        fprintf(handled, "%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
        fflush(handled);
    }
    report(@"canvas key %@ level %d", [event characters], _level);
}
#ifdef FIXTURE_MOVED
// A build in which a command of the controller is this view's.
- (void) inspect: (id) sender { report(@"the canvas inspects"); }
#endif
- (void) drawRect: (NSRect) rect {
    [[NSColor whiteColor] set];
    NSRectFill(rect);
}
@end

/// Short-lived, so that one takes the address of another.
@interface BriefView : NSView
@end
@implementation BriefView @end
@interface OtherBriefView : NSView
@end
@implementation OtherBriefView @end

/// Its key equivalent takes it out of its window, which alone has held it.
@interface ShortView : NSView
@end
@implementation ShortView
- (BOOL) performKeyEquivalent: (NSEvent *) event {
    if (![[event charactersIgnoringModifiers] isEqualToString: @"g"]) return NO;
    report(@"short view");
    [self removeFromSuperview];
    return YES;
}
@end

/// Gone once its item was chosen.
@interface ShortMenu : NSMenu
@end
@implementation ShortMenu
- (BOOL) performKeyEquivalent: (NSEvent *) event {
    if (![super performKeyEquivalent: event]) return NO;
    NSMenu *menu = [self supermenu];
    [menu removeItem: [menu itemWithTitle: @"Short"]];
    return YES;
}
@end

@interface FixtureApplication : NSApplication
@end

@implementation FixtureApplication
- (void) sendEvent: (NSEvent *) event {
    @try {
        [super sendEvent: event];
    } @catch (NSException *exception) {
        report(@"caught %@", [exception name]);
    }
    if (getenv("FIXTURE_EVENTS") != NULL && [event type] >= NSKeyDown && [event type] <= NSFlagsChanged) {
        report(@"event %d code %d flags %lx repeat %d", (int)[event type], [event keyCode],
            (unsigned long)[event modifierFlags] >> 16, [event type] == NSFlagsChanged ? 0 : (int)[event isARepeat]);
    }
}
@end

@interface Controller : NSObject {
    NSWindow *_window;
    NSTextView *_text;
    NSTextField *_field;
    NSSecureTextField *_secure;
    Canvas *_canvas;
    NSComboBox *_choice;
    NSPanel *_panel, *_sheet, *_choices;
    NSTextField *_panelField, *_panelSecret;
    NSMenu *_services;
}
@end

@implementation Controller

- (NSMenu *) addMenu: (NSString *) title to: (NSMenu *) menu {
    NSMenu *submenu = [[[NSMenu alloc] initWithTitle: title] autorelease];
    NSMenuItem *item = (NSMenuItem *)[menu addItemWithTitle: title action: NULL keyEquivalent: @""];
    [menu setSubmenu: submenu forItem: item];
    return submenu;
}

- (void) add: (NSString *) title _: (SEL) action _: (NSString *) key to: (NSMenu *) menu {
    [(NSMenuItem *)[menu addItemWithTitle: title action: action keyEquivalent: key] setTarget: self];
}

- (void) makeMenus {
    NSMenu *menu = [[[NSMenu alloc] initWithTitle: @"Fixture"] autorelease];
    NSMenu *go = [self addMenu: @"Go" to: menu];
    [self add: @"Text" _: @selector(goText:) _: @"1" to: go];
    [self add: @"Field" _: @selector(goField:) _: @"2" to: go];
    [self add: @"Secure Field" _: @selector(goSecure:) _: @"3" to: go];
    [self add: @"Canvas" _: @selector(goCanvas:) _: @"4" to: go];
    NSMenu *test = [self addMenu: @"Test" to: menu];
    [self add: @"Load Bundle" _: @selector(loadBundle:) _: @"l" to: test];
    [self add: @"Throw" _: @selector(throwException:) _: @"t" to: test];
    [self add: @"Second Thread" _: @selector(secondThread:) _: @"r" to: test];
    [self add: @"Observe" _: @selector(observe:) _: @"o" to: test];
    [self add: @"Modal Loop" _: @selector(modal:) _: @"m" to: test];
    [self add: @"Sheet" _: @selector(sheet:) _: @"e" to: test];
    [self add: @"Reuse Addresses" _: @selector(reuse:) _: @"a" to: test];
    [self add: @"Disabled" _: @selector(disabled:) _: @"d" to: test];
    [self add: @"Child" _: @selector(child:) _: @"k" to: test];
    [self add: @"Secure Panel" _: @selector(secretPanel:) _: @"p" to: test];
    [self add: @"Secure Here" _: @selector(secureHere:) _: @"j" to: test];
    [self add: @"Choices" _: @selector(choices:) _: @"n" to: test];
    [self add: @"Other Window" _: @selector(otherWindow:) _: @"f" to: test];
    [self add: @"Make Short" _: @selector(makeShort:) _: @"h" to: test];
    // For whoever is first in the chain.
    [test addItemWithTitle: @"Inspect" action: @selector(inspect:) keyEquivalent: @"i"];
    NSMenu *recent = [self addMenu: @"Open Recent" to: menu];
    [self add: @"canary-recent.rtf" _: @selector(_openRecentDocument:) _: @"y" to: recent];
    _services = [self addMenu: @"Services" to: menu];
    [menu addItemWithTitle: @"Quit" action: @selector(terminate:) keyEquivalent: @"q"];
    [NSApp setMainMenu: menu];
    [NSApp setServicesMenu: _services];
}

- (NSTextField *) addField: (Class) type at: (float) y to: (NSWindow *) window {
    NSTextField *field = [[[type alloc] initWithFrame: NSMakeRect(10, y, 280, 24)] autorelease];
    [[window contentView] addSubview: field];
    return field;
}

- (NSPanel *) makePanel: (NSString *) title {
    NSPanel *panel = [[NSPanel alloc] initWithContentRect: NSMakeRect(200, 300, 300, 100)
        styleMask: NSTitledWindowMask backing: NSBackingStoreBuffered defer: NO];
    [panel setTitle: title];
    [panel setReleasedWhenClosed: NO];
    return panel;
}

- (NSButton *) addDefaultButton: (SEL) action to: (NSWindow *) window {
    NSButton *button = [[[NSButton alloc] initWithFrame: NSMakeRect(200, 10, 80, 24)] autorelease];
    [button setTitle: @"OK"];
    [button setKeyEquivalent: @"\r"];
    [button setTarget: self];
    [button setAction: action];
    [[window contentView] addSubview: button];
    return button;
}

- (void) applicationDidFinishLaunching: (NSNotification *) note {
    [self makeMenus];
    _window = [[NSWindow alloc] initWithContentRect: NSMakeRect(100, 200, 300, 300)
        styleMask: NSTitledWindowMask | NSClosableWindowMask backing: NSBackingStoreBuffered defer: NO];
    [_window setTitle: @"Fixture window"];
    _text = [[[NSTextView alloc] initWithFrame: NSMakeRect(10, 180, 280, 100)] autorelease];
    [[_window contentView] addSubview: _text];
    _field = [self addField: [NSTextField class] at: 130 to: _window];
    _secure = (NSSecureTextField *)[self addField: [NSSecureTextField class] at: 90 to: _window];
    _canvas = [[[Canvas alloc] initWithFrame: NSMakeRect(10, 10, 280, 60)] autorelease];
    [[_window contentView] addSubview: _canvas];
    [_field setNextKeyView: _secure];
    [_secure setNextKeyView: _field];
    _panel = [self makePanel: @"Fixture panel"];
    _panelField = [self addField: [NSTextField class] at: 60 to: _panel];
    _panelSecret = [self addField: [NSSecureTextField class] at: 36 to: _panel];
    [self addDefaultButton: @selector(endModal:) to: _panel];
    _choices = [self makePanel: @"Fixture choices"];
    _choice = (NSComboBox *)[self addField: [NSComboBox class] at: 60 to: _choices];
    [_choice addItemsWithObjectValues: [NSArray arrayWithObjects: @"one", @"two", @"three", nil]];
    _sheet = [self makePanel: @"Fixture sheet"];
    [self addDefaultButton: @selector(endSheet:) to: _sheet];
    [_window makeFirstResponder: isOddRun() ? _canvas : (NSView *)_text];
    [_window makeKeyAndOrderFront: nil];
    [NSApp activateIgnoringOtherApps: YES];
    report(@"ready");
}

- (void) goText: (id) sender { report(@"text %d", (int)[_window makeFirstResponder: _text]); }
- (void) goField: (id) sender { report(@"field %d", (int)[_window makeFirstResponder: _field]); }
- (void) goSecure: (id) sender { report(@"secure %d", (int)[_window makeFirstResponder: _secure]); }
/// The toolkit rebuilds the Services menu once the app runs, so the item comes later.
- (void) goCanvas: (id) sender {
    if ([_services itemWithTitle: @"Serve"] == nil) [self add: @"Serve" _: @selector(serve:) _: @"u" to: _services];
    report(@"canvas %d", (int)[_window makeFirstResponder: _canvas]);
}
- (void) serve: (id) sender { report(@"served"); }
- (void) inspect: (id) sender {
    // An app that dies of a key, where FIXTURE_END says so.
    if (ends("dies")) abort();
    if (ends("exits")) _exit(3);
    if (ends("busy")) sleep(60);
    if (ends("faults")) *(volatile int *)strtoul("8", NULL, 10) = 1;
    if (ends("signal")) {
        pthread_mutex_lock(&busy);
        raise(SIGTERM);
        pthread_mutex_unlock(&busy);
    }
    if (ends("thread")) {
        [NSThread detachNewThreadSelector: @selector(leave:) toTarget: self withObject: nil];
        sleep(10);
    }
    report(@"the controller inspects");
}
- (void) leave: (id) nothing { exit(3); }
- (void) disabled: (id) sender { report(@"disabled item performed"); }
- (void) _openRecentDocument: (id) sender { report(@"recent"); }

- (BOOL) validateMenuItem: (NSMenuItem *) item {
#ifdef FIXTURE_SLOW
    // A build in which it takes 5 ms to say whether a command is enabled.
    if ([item action] == @selector(goText:)) usleep(5000);
#endif
    return [item action] != @selector(disabled:);
}

/// Loads classes, and a category that overrides a method that is hooked already.
- (void) loadBundle: (id) sender {
    void *loaded = dlopen(getenv("FIXTURE_BUNDLE"), RTLD_NOW);
    NSView *late = [[[NSClassFromString(@"LateView") alloc] initWithFrame: NSMakeRect(0, 0, 10, 10)] autorelease];
    [[_window contentView] addSubview: late];
    report(@"loaded %d, late view first responder %d", loaded != NULL, (int)[_window makeFirstResponder: late]);
}

- (void) throwException: (id) sender { [NSException raise: @"FixtureException" format: @"through all hooks"]; }

- (void) ask: (NSNumber *) count {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    int answers = 0;
    for (int i = 0; i < [count intValue]; i++) answers += [_canvas tryToPerform: @selector(level) with: nil];
    report(@"second thread: %d of %d", answers, [count intValue]);
    [pool release];
    [self performSelectorOnMainThread: @selector(asked:) withObject: nil waitUntilDone: NO];
}
- (void) asked: (id) nothing { report(@"second thread is over"); }
- (void) secondThread: (id) sender {
    [NSThread detachNewThreadSelector: @selector(ask:) toTarget: self withObject: [NSNumber numberWithInt: 1000]];
}

- (void) observe: (id) sender {
    [_canvas addObserver: self forKeyPath: @"level" options: 0 context: NULL];
    report(@"observing %@", NSStringFromClass([_canvas class]));
}
- (void) observeValueForKeyPath: (NSString *) path ofObject: (id) object change: (NSDictionary *) change
                        context: (void *) context {
    report(@"observed %@ of %@", path, NSStringFromClass([object class]));
}

- (void) modal: (id) sender {
    [_panel makeFirstResponder: _panelField];
    int code = (int)[NSApp runModalForWindow: _panel];
    [_panel orderOut: nil];
    report(@"modal %d: %@", code, [_panelField stringValue]);
}
- (void) endModal: (id) sender { [NSApp stopModalWithCode: 7]; }

/// A list that opens by Down, and has a loop of its own for the keys in it. The same item closes its panel.
- (void) choices: (id) sender {
    if ([_choices isVisible]) {
        report(@"chosen %d: %@", (int)[_choice indexOfSelectedItem], [_choice stringValue]);
        [_choices orderOut: nil];
        return [_window makeKeyAndOrderFront: nil];
    }
    [_choices makeFirstResponder: _choice];
    [_choices makeKeyAndOrderFront: nil];
}
/// Keys for a window that is not the modal one are discarded, until that is key again.
- (void) otherWindow: (id) sender { [_window makeKeyWindow]; }
/// The modal loop ends while a secure field has the keys.
- (void) secretPanel: (id) sender {
    [_panel makeFirstResponder: _panelSecret];
    [NSApp runModalForWindow: _panel];
    [_panel orderOut: nil];
    report(@"secret of %d", (int)[[_panelSecret stringValue] length]);
}
/// The editor that is first responder edits the secure field, and then the other one again.
- (void) secureHere: (id) sender {
    NSText *editor = (NSText *)[_window firstResponder];
    [editor setDelegate: (id)([editor delegate] == (id)_secure ? _field : _secure)];
    report(@"secure here %d", [editor delegate] == (id)_secure);
}
/// A view and a menu that are gone by what they are asked for.
- (void) makeShort: (id) sender {
    [[_window contentView] addSubview: [[[ShortView alloc] initWithFrame: NSMakeRect(0, 0, 1, 1)] autorelease]];
    NSMenu *main = [NSApp mainMenu], *menu = [[ShortMenu alloc] initWithTitle: @"Short"];
    NSMenuItem *item = (NSMenuItem *)[main addItemWithTitle: @"Short" action: NULL keyEquivalent: @""];
    [main setSubmenu: menu forItem: item];
    [menu release];
    [self add: @"Serve" _: @selector(serve:) _: @"b" to: menu];
}

- (void) sheet: (id) sender {
    [NSApp beginSheet: _sheet modalForWindow: _window modalDelegate: self
        didEndSelector: @selector(sheetDidEnd:returnCode:contextInfo:) contextInfo: NULL];
}
- (void) endSheet: (id) sender { [NSApp endSheet: _sheet returnCode: 5]; }
- (void) sheetDidEnd: (NSWindow *) sheet returnCode: (int) code contextInfo: (void *) context {
    [_sheet orderOut: nil];
    report(@"sheet %d", code);
}

/// 200 views of two classes, each asked once, most of them at the address of another.
- (void) reuse: (id) sender {
    int answers = 0;
    for (int i = 0; i < 200; i++) {
        NSView *view = [[i % 2 ? [OtherBriefView class] : [BriefView class] alloc] initWithFrame: NSMakeRect(0, 0, 1, 1)];
        answers += [view tryToPerform: @selector(needsDisplay) with: nil];
        [view release];
    }
    report(@"reused: %d", answers);
}

/// A process of this program's own, which is not to be recorded, and has nothing of the recorder in its environment.
- (void) child: (id) sender { report(@"child %d", system("exit 3$KEYFLIGHT_TRACE$LD_PRELOAD") >> 8); }

- (NSApplicationTerminateReply) applicationShouldTerminate: (NSApplication *) app {
    if (ends("hangs")) sleep(60);
    pthread_mutex_lock(&busy);
    pthread_mutex_unlock(&busy);
    return ends("never") ? NSTerminateCancel : NSTerminateNow;
}
- (BOOL) applicationShouldTerminateAfterLastWindowClosed: (NSApplication *) app { return NO; }
- (void) applicationWillTerminate: (NSNotification *) note {
    report(@"text: %@", [_text string]);
    report(@"field: %@", [_field stringValue]);
    report(@"secure: %@", [_secure stringValue]);
}
@end

int main(int count, const char **arguments) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    if (getenv("FIXTURE_TIMES") != NULL) handled = fopen(getenv("FIXTURE_TIMES"), "w");
    // An app that is late with its application object, or slow until that runs, when a toolkit's handler loses signals.
    const char *start = getenv("FIXTURE_START") ?: "";
    for (int tenths = 0; tenths < 50 && strcmp(start, "late") == 0; tenths++) usleep(100000);
    [FixtureApplication sharedApplication];
    if (strcmp(start, "slow") == 0) signal(SIGTERM, SIG_IGN), report(@"begins");
    for (int tenths = 0; tenths < 50 && strcmp(start, "slow") == 0; tenths++) {
        [[NSRunLoop currentRunLoop] runUntilDate: [NSDate date]];
        usleep(100000);
    }
    [NSApp setDelegate: (id)[Controller new]];
    [NSApp run];
    [pool release];
    return 0;
}
