// An AppKit app whose slow commands are known, one for each kind of slowness: what samples of the stack say of a press
// is compared with its command. It reports what its calls of the system return, which samples must not change.
#import <AppKit/AppKit.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLOW = 40 };

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static volatile unsigned sink;

static __attribute__((noinline)) void spin(double length) {
    const double end = milliseconds() + length;
    while (milliseconds() < end) {
        for (unsigned i = 0; i < 2000; i++) sink += i * i;
    }
}

/// Held by another thread for as long as a slow command takes, each time it is wanted.
static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER, hand = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static BOOL isWanted, isHeld;

static void *hold(void *nothing) {
    for (;;) {
        pthread_mutex_lock(&hand);
        while (!isWanted) pthread_cond_wait(&changed, &hand);
        isWanted = NO;
        pthread_mutex_lock(&shared);
        isHeld = YES;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&hand);
        usleep(SLOW * 1000);
        isHeld = NO;
        pthread_mutex_unlock(&shared);
    }
    return nothing;
}

@interface Library : NSObject {
    NSMutableDictionary *_index;
}
@end

@implementation Library
- (void) compareRevisions {
    spin(SLOW);
    sink++;
}
- (BOOL) validateMenuItem: (NSMenuItem *) item {
    if (sel_isEqual([item action], @selector(compare:))) [self compareRevisions];
    return YES;
}
- (void) compare: (id) sender { sink++; }
- (void) exportAll: (id) sender {
    const double began = milliseconds();
    const int result = usleep(SLOW * 1000), error = result == 0 ? 0 : errno;
    const double length = milliseconds() - began;
    const int ready = poll(NULL, 0, SLOW / 4);
    const BOOL isWhole = length >= SLOW && milliseconds() - began - length >= SLOW / 4;
    printf("usleep %d error %d poll %d whole %d\n", result, error, ready, isWhole);
    fflush(stdout);
}
- (NSString *) entry: (int) number { return [NSString stringWithFormat: @"entry %d of %@", number, self]; }
- (void) buildIndex: (id) sender {
    const double end = milliseconds() + SLOW;
    while (milliseconds() < end) {
        ASSIGN(_index, [NSMutableDictionary dictionary]);
        for (int i = 0; i < 200; i++) [_index setObject: [self entry: i] forKey: [NSNumber numberWithInt: i]];
    }
}
- (void) refresh: (id) sender {
    pthread_mutex_lock(&hand);
    isWanted = YES;
    pthread_cond_broadcast(&changed);
    while (!isHeld) pthread_cond_wait(&changed, &hand);
    pthread_mutex_unlock(&hand);
    pthread_mutex_lock(&shared);
    pthread_mutex_unlock(&shared);
}
- (void) saveJournal: (id) sender {
    static char block[1 << 20];
    const double end = milliseconds() + SLOW;
    const int file = open("journal.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
    while (milliseconds() < end) {
        memset(block, (int)end, sizeof block);
        if (pwrite(file, block, sizeof block, 0) < 0) break;
        fsync(file);
    }
    close(file);
    unlink("journal.tmp");
}
- (void) askScreen: (id) sender {
    int (*sync)(void *, int) = dlsym(RTLD_DEFAULT, "XSync");
    void *(*open)(const char *) = dlsym(RTLD_DEFAULT, "XOpenDisplay");
    static void *display;
    if (display == NULL) display = open(NULL);
    const double end = milliseconds() + SLOW;
    while (milliseconds() < end) sync(display, 0);
}
- (void) drawAgain: (id) sender {
    const double end = milliseconds() + SLOW;
    while (milliseconds() < end) {
        [[[NSApp mainWindow] contentView] setNeedsDisplay: YES];
        [[NSApp mainWindow] displayIfNeeded];
    }
}
- (void) fast: (id) sender { sink++; }
@end

static void add(NSMenu *menu, NSString *title, SEL action, NSString *key, id target) {
    [[menu addItemWithTitle: title action: action keyEquivalent: key] setTarget: target];
}

int main(int count, const char **arguments) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    [NSApplication sharedApplication];
    pthread_t thread;
    pthread_create(&thread, NULL, hold, NULL);
    Library *library = [Library new];
    NSMenu *bar = [[NSMenu alloc] initWithTitle: @"SlowApp"], *file = [[NSMenu alloc] initWithTitle: @"File"];
    [bar setSubmenu: file forItem: [bar addItemWithTitle: @"File" action: NULL keyEquivalent: @""]];
    add(file, @"Compare", @selector(compare:), @"1", library);
    add(file, @"Export", @selector(exportAll:), @"2", library);
    add(file, @"Index", @selector(buildIndex:), @"3", library);
    add(file, @"Refresh", @selector(refresh:), @"4", library);
    add(file, @"Save", @selector(saveJournal:), @"5", library);
    add(file, @"Ask", @selector(askScreen:), @"6", library);
    add(file, @"Draw", @selector(drawAgain:), @"7", library);
    add(file, @"Fast", @selector(fast:), @"8", library);
    [bar addItemWithTitle: @"Quit" action: @selector(terminate:) keyEquivalent: @"q"];
    [NSApp setMainMenu: bar];
    NSWindow *window = [[NSWindow alloc] initWithContentRect: NSMakeRect(100, 300, 500, 300)
                                                   styleMask: NSTitledWindowMask
                                                     backing: NSBackingStoreBuffered
                                                       defer: NO];
    NSTextView *text = [[NSTextView alloc] initWithFrame: NSMakeRect(0, 0, 500, 300)];
    [window setContentView: text];
    [window setTitle: @"SlowApp"];
    [window makeKeyAndOrderFront: nil];
    [window makeFirstResponder: text];
    puts("ready");
    fflush(stdout);
    [NSApp run];
    [pool release];
    return 0;
}
