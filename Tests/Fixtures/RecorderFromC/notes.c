// The app of Tests/Fixtures/InstrumentedHost/NotesApp.swift in C: notes TRACE
//
// It records its profile and the name of its layout, and neither which text has the keyboard nor any stage.
#include "keyflight_recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEFT "UIKeyInputLeftArrow"
#define RIGHT "UIKeyInputRightArrow"
#define UP "UIKeyInputUpArrow"
#define DOWN "UIKeyInputDownArrow"
#define ESCAPE "UIKeyInputEscape"

enum { LONGEST = 4 };

// An object of the chain, what it offers, and what it performs.
struct node {
    const char *id, *kind;
    int next;
    struct keyflight_command commands[LONGEST];
    const char *performs[LONGEST];
    bool is_text;
    uint32_t number;
};

enum { EDITOR, DOCUMENT, NAVIGATION, SPLIT, TABS, ROOT, WINDOW, SCENE, APP, TABLE, LIST, SEARCH, NODES };

static struct node nodes[NODES] = {
    [EDITOR] = {"editor", "TextView", DOCUMENT, .is_text = true},
    [DOCUMENT] = {
        "document", "DocumentController", NAVIGATION,
        {
            {"s", KEYFLIGHT_COMMAND, "save:"},
            {"w", KEYFLIGHT_COMMAND, "closeDocument:"},
            {"k", KEYFLIGHT_COMMAND, "insertLink:"},
        },
        {"save:", "closeDocument:"},
    },
    [NAVIGATION] = {
        "navigation", "NavigationController", SPLIT,
        {{"[", KEYFLIGHT_COMMAND, "goBack:"}},
        {"goBack:"},
    },
    [SPLIT] = {
        "split", "SplitController", TABS,
        {{"s", KEYFLIGHT_CONTROL | KEYFLIGHT_COMMAND, "toggleSidebar:"}},
    },
    [TABS] = {
        "tabs", "TabBarController", ROOT,
        {
            {"t", KEYFLIGHT_COMMAND, "newTab:"},
            {"w", KEYFLIGHT_COMMAND, "closeTab:"},
            {LEFT, KEYFLIGHT_COMMAND, "previousTab:"},
            {RIGHT, KEYFLIGHT_COMMAND, "nextTab:"},
        },
        {"newTab:", "closeTab:", "previousTab:", "nextTab:"},
    },
    [ROOT] = {"root", "RootController", WINDOW, .performs = {"toggleSidebar:"}},
    [WINDOW] = {"window", "Window", SCENE},
    [SCENE] = {"scene", "Scene", APP},
    [APP] = {
        "app", "App", -1,
        {
            {"n", KEYFLIGHT_COMMAND, "newWindow:"},
            {"w", KEYFLIGHT_COMMAND, "closeWindow:"},
            {"q", KEYFLIGHT_COMMAND, "quit:"},
        },
        {"newWindow:", "closeWindow:", "quit:"},
    },
    [TABLE] = {"table", "TableView", LIST},
    [LIST] = {
        "list", "ListController", NAVIGATION,
        {{UP, 0, "selectPrevious:"}, {DOWN, 0, "selectNext:"}, {"d", KEYFLIGHT_COMMAND, "duplicate:"}},
        {"selectPrevious:", "selectNext:", "duplicate:"},
    },
    [SEARCH] = {"search", "SearchField", LIST, .is_text = true},
};

static int first = EDITOR;
static int presses = 0;

static size_t command_count(const struct node *node) {
    size_t count = 0;
    while (count < LONGEST && node->commands[count].action != NULL) count++;
    return count;
}

// Only responders of the app's own are instrumented.
static bool is_own(int place) { return command_count(&nodes[place]) > 0 || nodes[place].performs[0] != NULL; }

static bool can_perform(int place, const char *action) {
    const struct node *node = &nodes[place];
    if (!is_own(place)) return false;
    struct keyflight_call_span span = keyflight_begin_call(KEYFLIGHT_CAN_PERFORM_ACTION, node->number, action, 0);
    bool answer = false;
    for (int index = 0; index < LONGEST && node->performs[index] != NULL; index++) {
        if (strcmp(node->performs[index], action) == 0) answer = true;
    }
    keyflight_end_call_answer(span, answer);
    return answer;
}

static void focus(int place) {
    first = place;
    keyflight_first_responder(nodes[place].number, KEYFLIGHT_CAUSE_BECOME);
}

static void collect(void) {
    for (int place = first; place >= 0; place = nodes[place].next) {
        const struct node *node = &nodes[place];
        if (!is_own(place)) continue;
        struct keyflight_call_span span = keyflight_begin_call(KEYFLIGHT_KEY_COMMANDS, node->number, NULL, 1);
        keyflight_end_call_commands(span, node->commands, command_count(node));
    }
}

static void handle(const char *input, uint32_t modifiers) {
    collect();
    if (nodes[first].is_text && modifiers == 0 && strlen(input) == 1) {
        keyflight_end_key(KEYFLIGHT_CONSUMED_BY_TEXT, KEYFLIGHT_TAKEN_BY_TEXT, NULL, 0, nodes[first].number, 0);
        return;
    }
    for (int place = first; place >= 0; place = nodes[place].next) {
        const struct node *node = &nodes[place];
        for (size_t index = 0; index < command_count(node); index++) {
            const struct keyflight_command *command = &node->commands[index];
            if (strcmp(command->input, input) != 0 || command->modifiers != modifiers) continue;
            for (int target = first; target >= 0; target = nodes[target].next) {
                if (!can_perform(target, command->action)) continue;
                keyflight_end_key(
                    KEYFLIGHT_PERFORMED, KEYFLIGHT_TAKEN_BY_KEY_COMMANDS, command->action, node->number,
                    nodes[target].number, 0);
                return;
            }
            keyflight_end_key(
                KEYFLIGHT_BLOCKED_UNPERFORMABLE, KEYFLIGHT_TAKEN_BY_KEY_COMMANDS, command->action, node->number, 0, 0);
            return;
        }
    }
    keyflight_end_key(KEYFLIGHT_UNHANDLED, KEYFLIGHT_TAKEN_BY_NOBODY, NULL, 0, 0, 0);
}

static uint32_t usage_of(const char *input) {
    if (strcmp(input, LEFT) == 0) return 0x70050;
    if (strcmp(input, RIGHT) == 0) return 0x7004F;
    if (strcmp(input, UP) == 0) return 0x70052;
    if (strcmp(input, DOWN) == 0) return 0x70051;
    if (strcmp(input, ESCAPE) == 0) return 0x70029;
    return 0x70004 + (uint32_t)(input[0] - 'a');
}

static void type(const char *input, uint32_t modifiers) {
    if (modifiers & KEYFLIGHT_COMMAND) keyflight_key(0x700E3, KEYFLIGHT_DOWN, 1, 0);
    presses++;
    keyflight_key(usage_of(input), KEYFLIGHT_DOWN, 1, 0);
    handle(input, modifiers);
    keyflight_key(usage_of(input), KEYFLIGHT_UP, 1, 0);
    if (modifiers & KEYFLIGHT_COMMAND) keyflight_key(0x700E3, KEYFLIGHT_UP, 1, 0);
    // Buffers are emptied meanwhile, so that nothing is lost.
    usleep(1000);
}

static void play(int round) {
    static const char *const letters[] = {"h", "e", "l", "l", "o"};
    focus(EDITOR);
    for (int index = 0; index < 5; index++) type(letters[index], 0);
    type("w", KEYFLIGHT_COMMAND);
    type("s", KEYFLIGHT_COMMAND);
    type("k", KEYFLIGHT_COMMAND);
    focus(TABLE);
    type(LEFT, KEYFLIGHT_COMMAND);
    // The stack is deep in every other round.
    struct keyflight_command back = {LEFT, KEYFLIGHT_COMMAND, "goBack:"};
    if (round % 2 == 1) nodes[NAVIGATION].commands[1] = back;
    type(LEFT, KEYFLIGHT_COMMAND);
    nodes[NAVIGATION].commands[1].action = NULL;
    type(RIGHT, KEYFLIGHT_COMMAND);
    type(DOWN, 0);
    type(DOWN, 0);
    type("d", KEYFLIGHT_COMMAND);
    type("j", KEYFLIGHT_COMMAND);
    type("w", KEYFLIGHT_COMMAND);
    type(ESCAPE, 0);
    focus(SEARCH);
    type("a", 0);
    type("n", KEYFLIGHT_COMMAND);
    type("t", KEYFLIGHT_COMMAND);
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    char *failure = keyflight_start_file(arguments[1], KEYFLIGHT_CALLS, -1);
    if (failure == NULL) {
        keyflight_fact("profile", "ios15");
        keyflight_layout("us");
        for (int place = 0; place < NODES; place++) {
            nodes[place].number = keyflight_responder(nodes[place].id, nodes[place].kind);
        }
        for (int place = 0; place < NODES; place++) {
            uint32_t next = nodes[place].next < 0 ? 0 : nodes[nodes[place].next].number;
            keyflight_link(nodes[place].number, next, nodes[WINDOW].number);
        }
        keyflight_key_window(nodes[WINDOW].number, KEYFLIGHT_CAUSE_START);
        for (int round = 0; round < 4; round++) play(round);
        failure = keyflight_stop();
    }
    if (failure != NULL) {
        fprintf(stderr, "%s\n", failure);
        free(failure);
        return 2;
    }
    printf("%d presses\n", presses);
    return 0;
}
