// A C program with the recorder in it: host TRACE
#include "keyflight_recorder.h"

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    if (count != 2) return 64;
    char *failure = keyflight_start_file(arguments[1], KEYFLIGHT_CALLS, 0);
    if (failure != NULL) {
        fprintf(stderr, "%s\n", failure);
        free(failure);
        return 2;
    }
    uint32_t editor = keyflight_responder("editor", "Editor");
    uint32_t tabs = keyflight_responder("tabs", "TabBar");
    keyflight_link(editor, tabs, 0);
    keyflight_first_responder(editor, KEYFLIGHT_CAUSE_BECOME);
    keyflight_key(0x700E3, KEYFLIGHT_DOWN, 1, 0);
    keyflight_key(0x7001A, KEYFLIGHT_DOWN, 1, 0);
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
    keyflight_end_key(KEYFLIGHT_PERFORMED, KEYFLIGHT_TAKEN_BY_KEY_COMMANDS, "closeTab:", tabs, tabs, 7);
    keyflight_key(0x7001A, KEYFLIGHT_UP, 1, 0);
    keyflight_key(0x700E3, KEYFLIGHT_UP, 1, 0);
    keyflight_begin_secure_entry();
    keyflight_key(0x70004, KEYFLIGHT_DOWN, 1, 0);
    keyflight_key(0x70004, KEYFLIGHT_UP, 1, 0);
    keyflight_end_secure_entry();
    keyflight_mark("done");
    failure = keyflight_stop();
    if (failure != NULL) {
        fprintf(stderr, "%s\n", failure);
        free(failure);
        return 2;
    }
    return 0;
}
