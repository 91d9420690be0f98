// An app that begins without a window, with items that share a character: only their modifiers tell which one a key
// means. One is disabled, and one is of a pop-up button. And with an item that starts processes.
#define _GNU_SOURCE
#import <AppKit/AppKit.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/// The environment that main was given.
static char **started;

@interface Controller : NSObject
@end

@implementation Controller
- (void) plain: (id) sender { puts("plain"); fflush(stdout); }
- (void) other: (id) sender { puts("other"); fflush(stdout); }
- (BOOL) validateMenuItem: (NSMenuItem *) item { return ![[item title] isEqual: @"Save As"]; }

/// Started in four ways, none of them has anything of a recorder in its environment.
- (void) children: (id) sender {
    char *words[] = {"sh", "-c", "exit 3$KEYFLIGHT_TRACE$KEYFLIGHT_MEMORY$LD_PRELOAD", NULL};
    int spawned = 0, forked = 0;
    pid_t child;
    if (posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) == 0) waitpid(child, &spawned, 0);
    if ((child = fork()) == 0) _exit(execve("/bin/sh", words, started));
    waitpid(child, &forked, 0);
    NSArray *arguments = [NSArray arrayWithObjects: @"-c", [NSString stringWithUTF8String: words[2]], nil];
    NSTask *task = [NSTask launchedTaskWithLaunchPath: @"/bin/sh" arguments: arguments];
    [task waitUntilExit];
    printf("children %d %d %d %d of %s\n", system(words[2]) >> 8, spawned >> 8, forked >> 8, [task terminationStatus],
        [[[NSProcessInfo processInfo] processName] UTF8String]);
    fflush(stdout);
}

- (NSMenuItem *) add: (NSString *) title _: (SEL) action _: (NSString *) key to: (NSMenu *) menu {
    NSMenuItem *item = (NSMenuItem *)[menu addItemWithTitle: title action: action keyEquivalent: key];
    [item setTarget: self];
    return item;
}

- (void) popUp: (id) sender {
    NSWindow *window = [[NSWindow alloc] initWithContentRect: NSMakeRect(100, 200, 300, 100)
        styleMask: NSTitledWindowMask backing: NSBackingStoreBuffered defer: NO];
    NSPopUpButton *button = [[NSPopUpButton alloc] initWithFrame: NSMakeRect(10, 10, 200, 24) pullsDown: NO];
    [button addItemWithTitle: @"First"];
    [self add: @"Second" _: @selector(other:) _: @"k" to: [button menu]];
    [[window contentView] addSubview: button];
    [window makeKeyAndOrderFront: nil];
}

- (void) applicationDidFinishLaunching: (NSNotification *) note {
    NSMenu *menu = [[NSMenu alloc] initWithTitle: @"Menus"], *file = [[NSMenu alloc] initWithTitle: @"File"];
    [menu setSubmenu: file forItem: (NSMenuItem *)[menu addItemWithTitle: @"File" action: NULL keyEquivalent: @""]];
    [self add: @"Save" _: @selector(plain:) _: @"s" to: file];
    [self add: @"Save As" _: @selector(other:) _: @"S" to: file];
    [self add: @"Open" _: @selector(plain:) _: @"o" to: file];
    [[self add: @"Open Other" _: @selector(other:) _: @"o" to: file]
        setKeyEquivalentModifierMask: NSCommandKeyMask | NSAlternateKeyMask];
    [self add: @"Pop Up" _: @selector(popUp:) _: @"p" to: file];
    [self add: @"Children" _: @selector(children:) _: @"r" to: file];
    [file addItemWithTitle: @"Quit" action: @selector(terminate:) keyEquivalent: @"q"];
    [NSApp setMainMenu: menu];
}
@end

int main(int count, char **arguments, char **environment) {
    started = environment;
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    [NSApplication sharedApplication];
    [NSApp setDelegate: (id)[Controller new]];
    [NSApp run];
    [pool release];
    return 0;
}
