#include "objc_hooks.h"

#include <stdlib.h>
#include <string.h>

#include "class_set.h"
#include "stubs.h"

/// A method that a row fits. Methods are known by their address in the runtime: a replacement keeps it, and a category
/// brings another.
struct record {
    void *method;
    keyflight_class owner;
    char *class_name;
    const struct keyflight_hook *hook;
    enum keyflight_hook_status status;
    /// -1: none. Once a method has one, it keeps it.
    int stub;
};

static struct record *records;
static size_t record_count, record_capacity;
static int used_stubs;

static const struct keyflight_hook *table;
static size_t table_count;
static const void *selector_keys[KEYFLIGHT_HOOKS_MAX];
static struct keyflight_signature signatures[KEYFLIGHT_HOOKS_MAX];
static bool is_running, was_started;

static struct keyflight_class_set covered;
static uint32_t covered_at, scanned_at;
static bool was_scanned;

/// Classes whose dispatch tables have to be renewed.
static keyflight_class *changed;
static size_t changed_count, changed_capacity;

static bool grow(void **array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return true;
    size_t larger = *capacity == 0 ? 64 : *capacity * 2;
    void *moved = realloc(*array, larger * size);
    if (moved == NULL) return false;
    *array = moved;
    *capacity = larger;
    return true;
}

static unsigned colons(const char *selector) {
    unsigned count = 0;
    for (; *selector != 0; selector++) count += *selector == ':';
    return count;
}

static enum keyflight_hook_status status_of_call(void) {
    if (!was_started) return KEYFLIGHT_HOOK_NOT_STARTED;
    if (!keyflight_hooks_on_observed_thread()) return KEYFLIGHT_HOOK_WRONG_THREAD;
    return is_running ? KEYFLIGHT_HOOK_OK : KEYFLIGHT_HOOK_NOT_STARTED;
}

enum keyflight_hook_status keyflight_hooks_find_runtime(void) {
    return keyflight_find_runtime() ? KEYFLIGHT_HOOK_OK : KEYFLIGHT_HOOK_NO_RUNTIME;
}

enum keyflight_hook_status keyflight_hooks_start(const struct keyflight_hook *hooks, size_t count) {
#if !(defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__)))
    return KEYFLIGHT_HOOK_UNSUPPORTED_PROCESSOR;
#endif
    if (was_started && !keyflight_hooks_on_observed_thread()) return KEYFLIGHT_HOOK_WRONG_THREAD;
    if (is_running) return KEYFLIGHT_HOOK_ALREADY_STARTED;
    if (hooks == NULL || count == 0 || count > KEYFLIGHT_HOOKS_MAX) return KEYFLIGHT_HOOK_BAD_TABLE;
    struct keyflight_signature read[KEYFLIGHT_HOOKS_MAX];
    for (size_t row = 0; row < count; row++) {
        if (hooks[row].selector == NULL || !keyflight_read_signature(hooks[row].types, &read[row])) {
            return KEYFLIGHT_HOOK_BAD_TABLE;
        }
        if (colons(hooks[row].selector) != read[row].argument_count) return KEYFLIGHT_HOOK_BAD_TABLE;
    }
    if (!keyflight_find_runtime()) return KEYFLIGHT_HOOK_NO_RUNTIME;
    memcpy(signatures, read, count * sizeof *read);
    table = hooks;
    table_count = count;
    for (size_t row = 0; row < count; row++) {
        selector_keys[row] = keyflight_selector_key(keyflight_selector_named(hooks[row].selector));
    }
    keyflight_watch_code_loads();
    keyflight_begin_activations();
    keyflight_class_set_clear(&covered);
    was_scanned = false;
    was_started = is_running = true;
    return KEYFLIGHT_HOOK_OK;
}

static bool is_within(keyflight_class type, const char *ancestor) {
    if (ancestor == NULL) return true;
    for (; type != NULL; type = keyflight_superclass(type)) {
        if (strcmp(keyflight_class_name(type), ancestor) == 0) return true;
    }
    return false;
}

/// The row for a class's own method; `table_count` for none.
static size_t row_of(keyflight_class owner, const void *selector_key) {
    for (size_t row = 0; row < table_count; row++) {
        if (selector_keys[row] == selector_key && is_within(owner, table[row].within)) return row;
    }
    return table_count;
}

static bool is_stub(keyflight_implementation implementation) {
    for (int stub = 0; stub < used_stubs; stub++) {
        if (keyflight_stubs[stub] == implementation) return true;
    }
    return false;
}

static struct record *record_of(void *method, keyflight_class owner) {
    for (size_t index = 0; index < record_count; index++) {
        struct record *record = &records[index];
        // A class that was disposed of leaves its addresses to others.
        if (record->method == method && record->owner == owner &&
            strcmp(record->class_name, keyflight_class_name(owner)) == 0) {
            return record;
        }
    }
    return NULL;
}

static struct record *append_record(void *method, keyflight_class owner) {
    if (!grow((void **)&records, record_count, &record_capacity, sizeof *records)) return NULL;
    const char *name = keyflight_class_name(owner);
    size_t length = strlen(name) + 1;
    char *copy = malloc(length);
    if (copy == NULL) return NULL;
    memcpy(copy, name, length);
    struct record *record = &records[record_count++];
    memset(record, 0, sizeof *record);
    record->method = method;
    record->owner = owner;
    record->class_name = copy;
    record->stub = -1;
    return record;
}

static enum keyflight_hook_status check_types(void *method, size_t row) {
    struct keyflight_signature found;
    if (!keyflight_read_signature(keyflight_runtime.method_getTypeEncoding(method), &found)) {
        return KEYFLIGHT_HOOK_TYPES_DIFFER;
    }
    return keyflight_signature_fits(&found, &signatures[row]) ? KEYFLIGHT_HOOK_OK : KEYFLIGHT_HOOK_TYPES_DIFFER;
}

/// Fills a slot that is in no use, or is its method's already, before a call can reach it.
static void fill_slot(struct keyflight_slot *slot, keyflight_class owner, size_t row) {
    const struct keyflight_signature *signature = &signatures[row];
    slot->owner = owner;
    slot->selector_key = selector_keys[row];
    slot->word_count = signature->word_count;
    memcpy(slot->places, signature->places, sizeof slot->places);
    slot->is_scattered = false;
    for (uint8_t word = 0; word < signature->word_count; word++) {
        slot->is_scattered |= signature->places[word] != word + 2;
    }
    slot->hook = &table[row];
}

static bool note_changed(keyflight_class owner) {
    if (changed_count > 0 && changed[changed_count - 1] == owner) return true;
    if (!grow((void **)&changed, changed_count, &changed_capacity, sizeof *changed)) return false;
    changed[changed_count++] = owner;
    return true;
}

/// Gives the method a stub that calls `original`.
static enum keyflight_hook_status take_stub(struct record *record, keyflight_implementation original) {
    if (used_stubs == KEYFLIGHT_HOOK_STUBS) return KEYFLIGHT_HOOK_NO_STUB;
    record->stub = used_stubs++;
    __atomic_store_n(&keyflight_slots[record->stub].original, original, __ATOMIC_RELEASE);
    return KEYFLIGHT_HOOK_OK;
}

/// Replaces a method, or notes why not. Changes nothing where that was done before. Fails for want of memory only.
static enum keyflight_hook_status replace(void *method, keyflight_class owner, size_t row) {
    struct record *record = record_of(method, owner);
    keyflight_implementation now = keyflight_runtime.method_getImplementation(method);
    bool has_stub = record != NULL && record->stub >= 0;
    // Implementations were exchanged, and the stub of another method is here.
    if (is_stub(now) && !(has_stub && keyflight_stubs[record->stub] == now)) return KEYFLIGHT_HOOK_OK;
    if (record == NULL) record = append_record(method, owner);
    if (record == NULL) return KEYFLIGHT_HOOK_NO_MEMORY;
    record->hook = &table[row];
    record->status = check_types(method, row);
    if (record->status == KEYFLIGHT_HOOK_OK && record->stub < 0) record->status = take_stub(record, now);
    if (record->status != KEYFLIGHT_HOOK_OK) return KEYFLIGHT_HOOK_OK;

    struct keyflight_slot *slot = &keyflight_slots[record->stub];
    fill_slot(slot, owner, row);
    // The stub is there already, or under a replacement made later by other code.
    if (now != slot->original) return KEYFLIGHT_HOOK_OK;
    if (!note_changed(owner)) return KEYFLIGHT_HOOK_NO_MEMORY;
    keyflight_implementation before = keyflight_set_implementation(method, keyflight_stubs[record->stub]);
    // Another thread was quicker.
    if (before != now) __atomic_store_n(&slot->original, before, __ATOMIC_RELEASE);
    return KEYFLIGHT_HOOK_OK;
}

static enum keyflight_hook_status cover_class(keyflight_class type) {
    unsigned count = 0;
    void **methods = keyflight_runtime.class_copyMethodList(type, &count);
    bool is_seen[KEYFLIGHT_HOOKS_MAX] = {false};
    enum keyflight_hook_status status = KEYFLIGHT_HOOK_OK;
    for (unsigned index = 0; index < count && status == KEYFLIGHT_HOOK_OK; index++) {
        keyflight_selector name = keyflight_runtime.method_getName(methods[index]);
        if (name == NULL) continue;
        size_t row = row_of(type, keyflight_selector_key(name));
        // The first of a name is the one that is called: categories come before the class, later ones before earlier.
        if (row == table_count || is_seen[row]) continue;
        is_seen[row] = true;
        status = replace(methods[index], type, row);
    }
    free(methods);
    return status;
}

/// On GCC's runtime dispatch tables are copies. Renewing one renews those of the subclasses, so only classes are left
/// that have no changed class above them.
static void renew_dispatch_tables(void) {
    for (size_t index = 0; keyflight_runtime.is_gcc && index < changed_count; index++) {
        bool is_topmost = true;
        for (size_t other = 0; other < changed_count && is_topmost; other++) {
            is_topmost = changed[other] == changed[index] || !keyflight_class_descends(changed[index], changed[other]);
        }
        if (is_topmost) keyflight_runtime.update_dispatch_table(changed[index]);
    }
    changed_count = 0;
}

enum keyflight_hook_status keyflight_hooks_scan(void) {
    enum keyflight_hook_status status = status_of_call();
    if (status != KEYFLIGHT_HOOK_OK) return status;
    if (!keyflight_runtime.is_gcc) return KEYFLIGHT_HOOK_UNSAFE_SCAN;
    uint32_t loads = keyflight_code_loads();
    // Others may register classes in between.
    int room = keyflight_runtime.objc_getClassList(NULL, 0) + 64;
    keyflight_class *classes = calloc((size_t)room, sizeof *classes);
    if (classes == NULL) return KEYFLIGHT_HOOK_NO_MEMORY;
    int count = keyflight_runtime.objc_getClassList(classes, room);
    if (count > room) count = room;
    for (int index = 0; index < count && status == KEYFLIGHT_HOOK_OK; index++) status = cover_class(classes[index]);
    free(classes);
    renew_dispatch_tables();
    scanned_at = loads;
    was_scanned = true;
    return status;
}

bool keyflight_hooks_need_scan(void) {
    return is_running && keyflight_runtime.is_gcc && (!was_scanned || scanned_at != keyflight_code_loads());
}

enum keyflight_hook_status keyflight_hooks_cover(keyflight_object object) {
    enum keyflight_hook_status status = status_of_call();
    return status == KEYFLIGHT_HOOK_OK ? keyflight_hooks_cover_class(keyflight_class_of(object)) : status;
}

enum keyflight_hook_status keyflight_hooks_cover_class(keyflight_class type) {
    enum keyflight_hook_status status = status_of_call();
    if (status != KEYFLIGHT_HOOK_OK) return status;
    uint32_t loads = keyflight_code_loads();
    if (loads != covered_at) keyflight_class_set_clear(&covered);
    covered_at = loads;
    for (; type != NULL && !keyflight_class_set_contains(&covered, type); type = keyflight_superclass(type)) {
        status = cover_class(type);
        if (status != KEYFLIGHT_HOOK_OK) break;
        // Without memory for it, the class is looked at again next time.
        keyflight_class_set_insert(&covered, type);
    }
    renew_dispatch_tables();
    return status;
}

enum keyflight_hook_status keyflight_hooks_stop(void) {
    enum keyflight_hook_status status = status_of_call();
    if (status != KEYFLIGHT_HOOK_OK) return status;
    is_running = false;
    keyflight_end_activations();
    for (size_t index = 0; index < record_count; index++) {
        struct record *record = &records[index];
        record->hook = NULL;
        if (record->stub < 0) continue;
        struct keyflight_slot *slot = &keyflight_slots[record->stub];
        slot->hook = NULL;
        // A class that was disposed of has no methods any more.
        if (keyflight_class_named(record->class_name) != record->owner) continue;
        if (keyflight_runtime.method_getImplementation(record->method) != keyflight_stubs[record->stub]) continue;
        // Without memory, callers reach the original through the stub until their dispatch table is renewed.
        note_changed(record->owner);
        keyflight_set_implementation(record->method, slot->original);
    }
    renew_dispatch_tables();
    return KEYFLIGHT_HOOK_OK;
}

size_t keyflight_hooks_methods(struct keyflight_hooked_method *methods, size_t capacity) {
    size_t count = 0;
    for (size_t index = 0; index < record_count; index++) {
        const struct record *record = &records[index];
        if (record->hook == NULL) continue;
        if (count < capacity) {
            methods[count] = (struct keyflight_hooked_method){record->hook, record->class_name, record->status};
        }
        count++;
    }
    return count;
}
