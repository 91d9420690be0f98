#ifndef KEYFLIGHT_RECORDER_H
#define KEYFLIGHT_RECORDER_H

// The recorder of keyflight for C, Objective-C and C++: link libKeyflightRecorderC. Each call is documented at the call
// of the same name of `Keyflight` in Swift. Calls from any thread, but not from the handler of a signal: a call that
// interrupts another one of its thread is counted and not recorded, and one that meets a new name may wait for ever for
// what it interrupted. Strings are UTF-8 and are copied where they are new. Numbers of stages, calls, outcomes, causes
// are those of Traces/FORMAT.md, named below.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum keyflight_level { KEYFLIGHT_KEYS, KEYFLIGHT_RESOLUTIONS, KEYFLIGHT_STAGES, KEYFLIGHT_CALLS };
enum keyflight_phase { KEYFLIGHT_DOWN, KEYFLIGHT_UP, KEYFLIGHT_REPEAT, KEYFLIGHT_CANCEL };
enum keyflight_stage {
    KEYFLIGHT_STAGE_HID, KEYFLIGHT_STAGE_TRANSPORT, KEYFLIGHT_STAGE_INPUT_DELAY, KEYFLIGHT_STAGE_PRESSES,
    KEYFLIGHT_STAGE_CHORD_WAIT, KEYFLIGHT_STAGE_COLLECT, KEYFLIGHT_STAGE_MATCH, KEYFLIGHT_STAGE_VALIDATE,
    KEYFLIGHT_STAGE_ACTION, KEYFLIGHT_STAGE_SETTLE
};
enum keyflight_call { KEYFLIGHT_KEY_COMMANDS, KEYFLIGHT_CAN_PERFORM_ACTION, KEYFLIGHT_VALIDATE, KEYFLIGHT_BUILD_MENU };
enum keyflight_outcome {
    KEYFLIGHT_PERFORMED, KEYFLIGHT_BLOCKED_UNPERFORMABLE, KEYFLIGHT_CONSUMED_BY_TEXT,
    KEYFLIGHT_CONSUMED_BY_INPUT_METHOD, KEYFLIGHT_CONSUMED_BY_FOCUS, KEYFLIGHT_CONSUMED_BY_SCROLL,
    KEYFLIGHT_CONSUMED_BY_KEY_BINDING, KEYFLIGHT_SWALLOWED_BY_PRESSES, KEYFLIGHT_UNHANDLED
};
/// The stage that took a press; −1 for none.
enum keyflight_taken_by {
    KEYFLIGHT_TAKEN_BY_NOBODY = -1, KEYFLIGHT_TAKEN_BY_PRESSES, KEYFLIGHT_TAKEN_BY_PRIORITY_KEY_COMMANDS,
    KEYFLIGHT_TAKEN_BY_KEY_COMMANDS, KEYFLIGHT_TAKEN_BY_MAIN_MENU, KEYFLIGHT_TAKEN_BY_STANDARD_EDIT,
    KEYFLIGHT_TAKEN_BY_BUILTIN_TEXT, KEYFLIGHT_TAKEN_BY_INPUT_METHOD, KEYFLIGHT_TAKEN_BY_TEXT,
    KEYFLIGHT_TAKEN_BY_FOCUS, KEYFLIGHT_TAKEN_BY_SCROLL, KEYFLIGHT_TAKEN_BY_KEY_BINDING
};
enum keyflight_cause {
    KEYFLIGHT_CAUSE_START, KEYFLIGHT_CAUSE_BECOME, KEYFLIGHT_CAUSE_RESIGN, KEYFLIGHT_CAUSE_PRESENT,
    KEYFLIGHT_CAUSE_DISMISS, KEYFLIGHT_CAUSE_WINDOW_CHANGE, KEYFLIGHT_CAUSE_REMOVAL, KEYFLIGHT_CAUSE_FOCUS_SYSTEM,
    KEYFLIGHT_CAUSE_CLICK, KEYFLIGHT_CAUSE_UNKNOWN
};
enum keyflight_verdict {
    KEYFLIGHT_WON, KEYFLIGHT_SHADOWED, KEYFLIGHT_DISABLED, KEYFLIGHT_UNPERFORMABLE, KEYFLIGHT_TAKEN,
    KEYFLIGHT_OTHER_MODIFIERS, KEYFLIGHT_POSSIBLE
};
enum keyflight_scope { KEYFLIGHT_SCOPE_RESPONDER, KEYFLIGHT_SCOPE_MENU_REBUILD, KEYFLIGHT_SCOPE_MENU_REVALIDATE };
/// The state of the recorder, for the indicator.
enum keyflight_state {
    KEYFLIGHT_RECORDING, KEYFLIGHT_RECORDING_IN_CLEAR, KEYFLIGHT_PAUSED, KEYFLIGHT_SECURE_ENTRY, KEYFLIGHT_STOPPED,
    KEYFLIGHT_FAILED
};
/// Modifiers of a command, with the values of UIKeyModifierFlags.
enum keyflight_modifier {
    KEYFLIGHT_CAPS_LOCK = 1 << 16, KEYFLIGHT_SHIFT = 1 << 17, KEYFLIGHT_CONTROL = 1 << 18, KEYFLIGHT_OPTION = 1 << 19,
    KEYFLIGHT_COMMAND = 1 << 20, KEYFLIGHT_NUMERIC_PAD = 1 << 21
};

/// Further attributes of a command, as a sum; 0 for none.
enum keyflight_attribute {
    KEYFLIGHT_ATTRIBUTE_DISABLED = 1, KEYFLIGHT_ATTRIBUTE_HIDDEN = 2,
    /// wantsPriorityOverSystemBehavior.
    KEYFLIGHT_ATTRIBUTE_WANTS_PRIORITY = 4,
    /// An alternate of the command before it.
    KEYFLIGHT_ATTRIBUTE_ALTERNATE = 8,
    KEYFLIGHT_ATTRIBUTE_MAIN_MENU = 16,
    /// repeatBehavior is nonRepeatable.
    KEYFLIGHT_ATTRIBUTE_NOT_REPEATING = 32,
    /// Without allowsAutomaticLocalization, and without allowsAutomaticMirroring.
    KEYFLIGHT_ATTRIBUTE_NOT_LOCALISED = 64, KEYFLIGHT_ATTRIBUTE_NOT_MIRRORED = 128
};

/// A key command as a responder answers it. `input` and `public_title` may be null; give a title only if it may be
/// stored. `modifiers` and `attributes` are sums of those above.
struct keyflight_command {
    const char *input;
    uint32_t modifiers;
    const char *action;
    const char *public_title;
    uint8_t attributes;
};

/// The resolution of a press. Zeros and null for what is not known; `taken_by` is KEYFLIGHT_TAKEN_BY_NOBODY then.
struct keyflight_resolution {
    int outcome, taken_by;
    const char *action;
    const struct keyflight_command *command;
    uint32_t supplier, target, start, key_window;
    uint64_t state;
    /// charactersIgnoringModifiers, and the inserted text: stored only where keys are shown.
    const char *character, *text;
};

/// The work of a cache of key commands for one press.
struct keyflight_cache_account {
    uint32_t hits, misses, stale, invalidations, shadow_reads, calls_saved;
    uint64_t time_saved_ns;
};

/// The cost and losses of a recording so far: entries, those that found no room, the cost of a key event on this
/// machine and a clock read's part of it, in tenths of nanoseconds, and CPU time of the background thread.
struct keyflight_statistics { uint64_t entries, dropped, key_tenths_ns, clock_tenths_ns, flusher_ns; };

/// Options of a recording. Everything may be 0, and is then the default of `RecorderOptions` in Swift, but for the
/// level.
struct keyflight_options {
    /// The file; null for a ring in memory.
    const char *path;
    /// Bounds of a ring: bytes, and seconds. One of them 0: 64 MiB, or for ever. Both 0: all of the recording in the
    /// file, or without a file 4 MiB and five minutes. A ring in a file needs the name with `.previous` behind it too.
    size_t ring_bytes;
    int64_t ring_seconds;
    /// KEYFLIGHT_KEYS, which is 0, records key events and the context around them; Swift's default is KEYFLIGHT_CALLS.
    int level;
    /// 0 for ten minutes, negative for never.
    int64_t auto_stop_seconds;
    /// 0 for 25.
    int64_t flush_milliseconds;
    bool shows_keys;
    /// Called with every change of state, on the thread that causes it. May be null.
    /// keyflight_stop returns why a recording failed.
    void (*indicator)(void *context, int state);
    void *context;
    /// Durations of calls to 1 %, in a third of the bytes.
    bool rounds_durations;
};

/// A span that has begun; its fields are the recorder's.
struct keyflight_stage_span { uint32_t stage, press; uint64_t start; };
struct keyflight_call_span {
    uint64_t start;
    uint32_t responder, action, generation;
    uint16_t pass, depth, thread;
    uint8_t kind;
};

// A process that is forked from one that records has no recording, and may begin one of its own.
//
// Strings and structs may be null only where that is documented. A call whose string or struct is null against that
// records nothing, and where it returns a text, reports it there.

/// Begins a recording. Null when it began, else why not, to be given back with free().
char *keyflight_start(const struct keyflight_options *options);
/// Begins a recording into a file that must not exist. Null when it began, else why not, to be given back with free().
/// `auto_stop_seconds`: 0 for ten minutes, negative for never.
char *keyflight_start_file(const char *path, int level, int64_t auto_stop_seconds);
/// Begins a recording of the last `bytes` bytes and `seconds` seconds in memory; 0 as in keyflight_options.
char *keyflight_start_ring(size_t bytes, int64_t seconds, int level, int64_t auto_stop_seconds);
/// Ends the recording, or returns how one has ended by itself: its time was up, or its destination failed. Null when
/// everything is in its destination, else why not, to be given back with free(). The contents of a ring in memory go
/// away.
char *keyflight_stop(void);
/// Writes what is kept into a file that must not exist, as a canonical trace: of the recording that runs, or of one
/// that has ended by itself, until keyflight_stop. Null when it is there, else why not, to be given back with free().
char *keyflight_snapshot(const char *path);
/// The same, but no more than the last `seconds`; 0 for all that is kept.
char *keyflight_snapshot_last(const char *path, int64_t seconds);
void keyflight_pause(void);
void keyflight_resume(void);
void keyflight_set_level(int level);
bool keyflight_is_recording(void);
/// Of the recording that runs, else of the one before it.
struct keyflight_statistics keyflight_get_statistics(void);
/// Gets the calling thread's buffer ready, so that its first call allocates nothing.
void keyflight_prepare_thread(void);
/// From here to the end nothing is stored, not even how much happened. May be nested.
void keyflight_begin_secure_entry(void);
void keyflight_end_secure_entry(void);

/// `usage`: page in the high 16 bits. `system_time`: nanoseconds of CLOCK_MONOTONIC, 0 for unknown.
void keyflight_key(uint32_t usage, int phase, uint16_t device, uint64_t system_time);
/// A key event that no key made, such as a release that the host synthesises.
void keyflight_synthetic_key(uint32_t usage, int phase, uint16_t device, uint64_t system_time);
/// The press that this thread handles, 0 for none; and the call by which another thread goes on with it, or this one
/// after an event loop inside has handled other presses.
uint64_t keyflight_current_press(void);
void keyflight_adopt(uint64_t press);
/// The number of a responder, for the calls below; 0 is no responder.
uint32_t keyflight_responder(const char *id, const char *kind);
/// `action` may be null.
void keyflight_end_key(
    int outcome, int taken_by, const char *action, uint32_t supplier, uint32_t target, uint64_t state);
/// The same with everything else that is known of it.
void keyflight_end_key_as(const struct keyflight_resolution *resolution);
void keyflight_received(uint32_t responder, int phase, bool is_swallowed);
/// `reason` in words that may be stored, or null.
void keyflight_candidate(
    const struct keyflight_command *command, uint32_t supplier, int verdict, const char *reason);
/// A gesture recogniser of this kind was asked about the raw press, and took it or not.
void keyflight_gesture(const char *recognizer, uint32_t responder, int phase, bool is_taken);
/// `public_value`: JSON that contains nothing a person wrote, or null.
void keyflight_effect(const char *kind, uint32_t responder, const char *public_value);
void keyflight_cache(const struct keyflight_cache_account *account);

struct keyflight_stage_span keyflight_begin_stage(int stage);
void keyflight_end_stage(struct keyflight_stage_span span);
struct keyflight_stage_span keyflight_next_stage(struct keyflight_stage_span span, int stage);
void keyflight_stage_lasted(int stage, uint64_t nanoseconds);

/// `action` may be null. `pass`: 1-based, 0 where it has no meaning.
struct keyflight_call_span keyflight_begin_call(int kind, uint32_t responder, const char *action, uint16_t pass);
void keyflight_end_call(struct keyflight_call_span span);
void keyflight_end_call_answer(struct keyflight_call_span span, bool answer);
/// `commands`: the answer of the call; null for an empty list. To look through it is not part of the call.
void keyflight_end_call_commands(
    struct keyflight_call_span span, const struct keyflight_command *commands, size_t count);

void keyflight_first_responder(uint32_t responder, int cause);
void keyflight_key_window(uint32_t window, int cause);
void keyflight_link(uint32_t responder, uint32_t next, uint32_t window);
/// A text input has the keyboard, or, with 0, none has. A secure one is a secure entry until the next call that is not
/// secure; the two calls for secure entries need not be made as well.
void keyflight_text_input(uint32_t responder, bool is_secure);
void keyflight_marked_text(bool is_marked);
void keyflight_presentation(uint32_t presenter, uint32_t presented);
/// The pasted or dictated text is not stored.
void keyflight_text_without_key(void);
/// The text is stored where keys are shown. `text` may be null.
void keyflight_text_without_key_as(const char *text);
/// `device`: 0 for not known.
void keyflight_hardware_keyboard(bool is_attached, uint16_t device);
void keyflight_invalidation(int scope, uint32_t responder);
/// The keyboard on the screen. `frame`: x, y, width and height in thousandths of a point, or null. Numbers of states
/// and causes are those of Traces/FORMAT.md.
void keyflight_keyboard_frame(int state, const int64_t frame[4], int cause);
void keyflight_fact(const char *name, const char *value);
void keyflight_keyboard(uint16_t device, const char *name);
void keyflight_layout(const char *name);
/// `table`: the texts that its keys type, in the text form of the files of the shipped layouts. False when it has
/// another form, and nothing is recorded then.
bool keyflight_layout_table(const char *name, const char *table);
void keyflight_mark(const char *name);

#ifdef __cplusplus
}
#endif

#endif
