// What a host in C may do wrong, and what it is told: edges FOLDER
#include "keyflight_recorder.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPECT(condition) \
    if (!(condition)) { \
        fprintf(stderr, "edges.c:%d: expected %s\n", __LINE__, #condition); \
        exit(1); \
    }

static const char *folder;

static const char *named(const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s.keyflight", folder, name);
    return path;
}

static bool says(char *text, const char *part) {
    bool is_there = text != NULL && strstr(text, part) != NULL;
    if (!is_there) fprintf(stderr, "found: %s\n", text == NULL ? "null" : text);
    free(text);
    return is_there;
}

static void press(uint32_t usage) {
    keyflight_key(usage, KEYFLIGHT_DOWN, 1, 0);
    keyflight_key(usage, KEYFLIGHT_UP, 1, 0);
}

static void await_end(void) {
    for (int round = 0; round < 2000 && keyflight_is_recording(); round++) usleep(5000);
    EXPECT(!keyflight_is_recording());
}

// What is missing is not recorded, and ends nothing.
static void missing_arguments(void) {
    EXPECT(says(keyflight_stop(), "stopped"));
    EXPECT(says(keyflight_snapshot(named("none")), "stopped"));
    EXPECT(says(keyflight_start(NULL), "expected options, found null"));
    EXPECT(says(keyflight_start_file(NULL, 0, 0), "expected a path, found null"));
    EXPECT(keyflight_start_ring(0, 0, KEYFLIGHT_CALLS, 0) == NULL);
    EXPECT(says(keyflight_snapshot(NULL), "expected a path, found null"));
    press(0x70028);
    keyflight_mark(NULL);
    keyflight_fact(NULL, "value");
    keyflight_fact("name", NULL);
    keyflight_keyboard(1, NULL);
    keyflight_layout(NULL);
    EXPECT(!keyflight_layout_table("us", NULL));
    EXPECT(!keyflight_layout_table(NULL, "layout us\n"));
    EXPECT(!keyflight_layout_table("us", "not a layout"));
    keyflight_effect(NULL, 0, NULL);
    keyflight_gesture(NULL, 0, KEYFLIGHT_DOWN, true);
    EXPECT(keyflight_responder(NULL, "Kind") == 0);
    EXPECT(keyflight_responder("id", NULL) == 0);
    keyflight_candidate(NULL, 0, KEYFLIGHT_WON, NULL);
    keyflight_end_key_as(NULL);
    keyflight_cache(NULL);
    uint32_t tabs = keyflight_responder("tabs", "TabBar");
    struct keyflight_command one = {.input = "w", .modifiers = KEYFLIGHT_COMMAND, .action = NULL, .public_title = NULL};
    size_t counts[] = {0, SIZE_MAX, (size_t)1 << (8 * sizeof(size_t) - 1), 7};
    for (int place = 0; place < 4; place++) {
        struct keyflight_call_span call = keyflight_begin_call(KEYFLIGHT_KEY_COMMANDS, tabs, NULL, 1);
        keyflight_end_call_commands(call, place == 3 ? NULL : &one, counts[place]);
    }
    struct keyflight_call_span call = keyflight_begin_call(KEYFLIGHT_KEY_COMMANDS, tabs, NULL, 1);
    keyflight_end_call_commands(call, &one, 1);
    keyflight_synthetic_key(0x70029, KEYFLIGHT_DOWN, 1, 0);
    EXPECT(keyflight_snapshot(named("missing")) == NULL);
    EXPECT(says(keyflight_snapshot(named("missing")), "one that exists"));
    EXPECT(keyflight_stop() == NULL);
    EXPECT(keyflight_get_statistics().entries == 8);
    EXPECT(says(keyflight_stop(), "stopped"));
}

// A bound that is 0 bounds nothing.
static void unbounded_ring(void) {
    EXPECT(keyflight_start_ring(1 << 20, 0, KEYFLIGHT_KEYS, 0) == NULL);
    for (int round = 0; round < 3; round++) {
        press(0x70028);
        usleep(60000);
    }
    EXPECT(keyflight_snapshot(named("unbounded")) == NULL);
    EXPECT(keyflight_stop() == NULL);
}

// A recording whose time is up has ended well, and what it kept can be had until somebody asks.
static void time_is_up(void) {
    struct keyflight_options options = {.ring_bytes = SIZE_MAX, .auto_stop_seconds = 1, .rounds_durations = true};
    EXPECT(keyflight_start(&options) == NULL);
    press(0x70028);
    await_end();
    EXPECT(keyflight_get_statistics().entries == 2);
    EXPECT(keyflight_snapshot_last(named("up"), 100) == NULL);
    EXPECT(keyflight_stop() == NULL);
    EXPECT(says(keyflight_snapshot(named("gone")), "stopped"));
    EXPECT(keyflight_get_statistics().entries == 2);
}

// A destination that took no more is told of by the next stop.
static void full_destination(void) {
    struct rlimit most = {.rlim_cur = 20000, .rlim_max = RLIM_INFINITY};
    getrlimit(RLIMIT_FSIZE, &most);
    rlim_t before = most.rlim_cur;
    most.rlim_cur = 20000;
    signal(SIGXFSZ, SIG_IGN);
    EXPECT(setrlimit(RLIMIT_FSIZE, &most) == 0);
    EXPECT(keyflight_start_file(named("full"), KEYFLIGHT_KEYS, 0) == NULL);
    for (int round = 0; round < 2000 && keyflight_is_recording(); round++) {
        for (int count = 0; count < 200; count++) keyflight_key(0x7004F, KEYFLIGHT_REPEAT, 1, 0);
        usleep(5000);
    }
    EXPECT(!keyflight_is_recording());
    EXPECT(says(keyflight_stop(), "room for"));
    EXPECT(keyflight_get_statistics().entries > 1000);
    EXPECT(says(keyflight_stop(), "stopped"));
    most.rlim_cur = before;
    setrlimit(RLIMIT_FSIZE, &most);
}

// A process that is forked has no recording, and may begin one; the other one goes on.
static void forked(void) {
    EXPECT(keyflight_start_file(named("parent"), KEYFLIGHT_KEYS, 0) == NULL);
    press(0x70028);
    // What the background thread's runtime makes when it first needs it is made by then.
    usleep(100000);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        EXPECT(!keyflight_is_recording());
        press(0x70028);
        EXPECT(keyflight_get_statistics().entries == 0);
        EXPECT(says(keyflight_snapshot(named("none")), "stopped"));
        EXPECT(says(keyflight_stop(), "stopped"));
        EXPECT(keyflight_start_file(named("child"), KEYFLIGHT_KEYS, 0) == NULL);
        press(0x70029);
        press(0x70029);
        EXPECT(keyflight_stop() == NULL);
        _exit(0);
    }
    int status = 1;
    EXPECT(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    press(0x70028);
    EXPECT(keyflight_stop() == NULL);
}

// What is stored only where keys are shown.
static void in_clear(bool shows_keys, const char *name) {
    struct keyflight_options options = {.path = named(name), .level = KEYFLIGHT_CALLS, .shows_keys = shows_keys};
    EXPECT(keyflight_start(&options) == NULL);
    EXPECT(keyflight_layout_table("de", "layout de\nkey 04 caps U+0061 U+0041 - -\n"));
    press(0x70004);
    struct keyflight_resolution resolution = {
        .outcome = KEYFLIGHT_CONSUMED_BY_TEXT, .taken_by = KEYFLIGHT_TAKEN_BY_TEXT, .character = "canary",
        .text = "canary",
    };
    keyflight_end_key_as(&resolution);
    keyflight_text_without_key_as("canary, pasted");
    keyflight_text_without_key_as(NULL);
    EXPECT(keyflight_stop() == NULL);
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    folder = arguments[1];
    alarm(60);
    missing_arguments();
    unbounded_ring();
    time_is_up();
    full_destination();
    forked();
    in_clear(false, "masked");
    in_clear(true, "clear");
    return 0;
}
