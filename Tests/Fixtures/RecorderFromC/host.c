// A C program with the recorder in it: host TRACE
#include "keyflight_recorder.h"

#include <stdio.h>
#include <stdlib.h>

// The indicator: says what the recorder is doing.
static void note(void *context, int state) {
    static const char *const names[] = {"recording", "recording in clear", "paused", "secure entry", "stopped", "failed"};
    fprintf(context, "%s\n", names[state]);
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    char states[4096];
    snprintf(states, sizeof states, "%s.states", arguments[1]);
    FILE *indicator = fopen(states, "w");
    if (indicator == NULL) return 2;
    struct keyflight_options options = {
        .path = arguments[1], .level = KEYFLIGHT_CALLS, .indicator = note, .context = indicator,
    };
    char *failure = keyflight_start(&options);
    if (failure != NULL) {
        fprintf(stderr, "%s\n", failure);
        free(failure);
        return 2;
    }
    keyflight_prepare_thread();
    keyflight_fact("app.version", "3.1");
    keyflight_keyboard(1, "built-in");
    keyflight_layout("us");
    uint32_t editor = keyflight_responder("editor", "Editor");
    uint32_t tabs = keyflight_responder("tabs", "TabBar");
    keyflight_link(editor, tabs, 0);
    keyflight_presentation(tabs, 0);
    keyflight_first_responder(editor, KEYFLIGHT_CAUSE_BECOME);
    keyflight_key(0x700E3, KEYFLIGHT_DOWN, 1, 0);
    keyflight_key(0x7001A, KEYFLIGHT_DOWN, 1, 0);
    keyflight_received(editor, KEYFLIGHT_DOWN, false);
    struct keyflight_stage_span span = keyflight_begin_stage(KEYFLIGHT_STAGE_COLLECT);
    struct keyflight_command commands[] = {
        {.input = "w", .modifiers = KEYFLIGHT_COMMAND, .action = "closeTab:", .public_title = NULL},
        {.input = "t", .modifiers = KEYFLIGHT_COMMAND, .action = "newTab:", .public_title = "New Tab"},
    };
    for (uint16_t pass = 1; pass <= 3; pass++) {
        struct keyflight_call_span call = keyflight_begin_call(KEYFLIGHT_KEY_COMMANDS, tabs, NULL, pass);
        keyflight_end_call_commands(call, commands, 2);
    }
    span = keyflight_next_stage(span, KEYFLIGHT_STAGE_VALIDATE);
    struct keyflight_call_span call = keyflight_begin_call(KEYFLIGHT_CAN_PERFORM_ACTION, tabs, "closeTab:", 0);
    keyflight_end_call_answer(call, true);
    keyflight_end_stage(span);
    keyflight_stage_lasted(KEYFLIGHT_STAGE_SETTLE, 1000);
    keyflight_candidate(&commands[0], tabs, KEYFLIGHT_WON, "nearest to the first responder");
    keyflight_effect("selection", tabs, NULL);
    struct keyflight_cache_account account = {.hits = 2, .misses = 1, .calls_saved = 6};
    keyflight_cache(&account);
    struct keyflight_resolution resolution = {
        .outcome = KEYFLIGHT_PERFORMED, .taken_by = KEYFLIGHT_TAKEN_BY_KEY_COMMANDS, .action = "closeTab:",
        .command = &commands[0], .supplier = tabs, .target = tabs, .start = editor, .state = 7,
    };
    keyflight_end_key_as(&resolution);
    keyflight_adopt(keyflight_current_press());
    keyflight_key(0x7001A, KEYFLIGHT_UP, 1, 0);
    keyflight_key(0x700E3, KEYFLIGHT_UP, 1, 0);
    int64_t frame[4] = {0, 500000, 1024000, 300000};
    keyflight_gesture("Recognizer", editor, KEYFLIGHT_UP, false);
    keyflight_keyboard_frame(1, frame, 0);
    keyflight_text_without_key();
    keyflight_hardware_keyboard(true, 1);
    keyflight_invalidation(KEYFLIGHT_SCOPE_MENU_REBUILD, 0);
    keyflight_pause();
    keyflight_resume();
    keyflight_begin_secure_entry();
    keyflight_key(0x70004, KEYFLIGHT_DOWN, 1, 0);
    keyflight_key(0x70004, KEYFLIGHT_UP, 1, 0);
    keyflight_end_secure_entry();
    keyflight_mark("done");
    if (keyflight_get_statistics().dropped != 0) return 3;
    failure = keyflight_stop();
    fclose(indicator);
    if (failure != NULL) {
        fprintf(stderr, "%s\n", failure);
        free(failure);
        return 2;
    }
    return 0;
}
