#include "sampled_stacks.h"

#if defined(__linux__) && defined(__x86_64__) && defined(__GLIBC__)

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "symbols.h"

enum { MODULES = 64, FUNCTIONS = 300, NODES = 2000, RUNS = 600, NAME = 160 };

static struct { uint64_t base; char line[2 * UNWIND_PATH]; } modules[MODULES];
/// The length of a name is bounded, so that all functions of a span fit the text.
static struct { uint64_t start, offset; int module; char name[NAME]; } functions[FUNCTIONS];
static struct { int parent, function; } nodes[NODES];
static struct { uint64_t offset; unsigned intervals; int node, call; bool is_whole; } runs[RUNS];
static int module_count, function_count, node_count, run_count;
static unsigned skipped;

void stacks_begin(void) {
    module_count = function_count = node_count = run_count = 0;
    skipped = 0;
}

void stacks_skip(unsigned samples) { skipped += samples; }

static int module_number(const struct unwind_module *module) {
    for (int i = 0; i < module_count; i++) {
        if (modules[i].base == module->base) return i;
    }
    if (module_count == MODULES) return -1;
    char id[2 * UNWIND_BUILD_ID + 1] = "-";
    for (int i = 0; i < module->build_id_length; i++) snprintf(id + 2 * i, 3, "%02x", module->build_id[i]);
    modules[module_count].base = module->base;
    char *line = modules[module_count].line;
    const char *owner = is_own_module(module) ? "own" : "system";
    snprintf(line, sizeof modules[0].line, "m %s %s %s\n", owner, id, module_name(module));
    return module_count++;
}

/// Bytes that would end a line or are no UTF-8 come from names that no compiler makes.
static void make_plain(char *name) {
    for (; *name != 0; name++) {
        if (*name < ' ' || *name == 0x7f) *name = '?';
    }
}

static int function_number(uint64_t start, function_namer namer) {
    for (int i = 0; i < function_count; i++) {
        if (functions[i].start == start) return i;
    }
    if (function_count == FUNCTIONS) return -1;
    const struct unwind_module *module = unwind_module_of(start);
    const int number = module != NULL ? module_number(module) : -1;
    char *name = functions[function_count].name;
    if (!(namer != NULL && namer(start, name, NAME)) && !symbol_name(start, module, name, NAME)) *name = 0;
    make_plain(name);
    functions[function_count].start = start;
    functions[function_count].module = number;
    functions[function_count].offset = number < 0 ? 0 : start - module->base;
    return function_count++;
}

static int node_number(int parent, int function) {
    for (int i = node_count; i > 0; i--) {
        if (nodes[i - 1].parent == parent && nodes[i - 1].function == function) return i;
    }
    if (node_count == NODES) return 0;
    nodes[node_count].parent = parent;
    nodes[node_count++].function = function;
    return node_count;
}

bool stacks_add(
    uint64_t offset, unsigned intervals, int call, const struct unwind_frame *frames, int count, bool is_whole,
    function_namer namer) {
    const struct unwind_module *self = unwind_module_of((uint64_t)(uintptr_t)&stacks_add);
    int node = 0;
    for (int i = count; i > 0; i--) {
        // The frames of the library that samples are none of the app's; linked into a program, they cannot be told from
        // those around them.
        const struct unwind_module *module = unwind_module_of(frames[i - 1].function);
        if (module != NULL && module == self && *module->path != 0) continue;
        const int function = function_number(frames[i - 1].function, namer);
        node = function < 0 ? 0 : node_number(node, function);
        if (node == 0) {
            skipped++;
            return false;
        }
    }
    if (node == 0) return false;
    if (run_count > 0) {
        const int last = run_count - 1;
        if (runs[last].node == node && runs[last].call == call && runs[last].is_whole == is_whole) {
            runs[last].intervals += intervals;
            return true;
        }
    }
    if (run_count == RUNS) {
        skipped++;
        return false;
    }
    runs[run_count].offset = offset;
    runs[run_count].intervals = intervals;
    runs[run_count].node = node;
    runs[run_count].call = call;
    runs[run_count++].is_whole = is_whole;
    return false;
}

/// The calls in which a thread is found blocked; others are shown by their number.
static const char *call_name(int call) {
    static const struct { int number; const char *name; } names[] = {
        {SYS_read, "read"}, {SYS_write, "write"}, {SYS_readv, "readv"}, {SYS_writev, "writev"}, {SYS_pread64, "pread"},
        {SYS_pwrite64, "pwrite"}, {SYS_open, "open"}, {SYS_openat, "openat"}, {SYS_close, "close"}, {SYS_stat, "stat"},
        {SYS_newfstatat, "fstatat"}, {SYS_fsync, "fsync"}, {SYS_fdatasync, "fdatasync"}, {SYS_rename, "rename"},
        {SYS_unlink, "unlink"}, {SYS_getdents64, "getdents"}, {SYS_flock, "flock"}, {SYS_fcntl, "fcntl"},
        {SYS_ioctl, "ioctl"}, {SYS_poll, "poll"}, {SYS_ppoll, "ppoll"}, {SYS_select, "select"},
        {SYS_pselect6, "pselect"}, {SYS_epoll_wait, "epoll_wait"}, {SYS_epoll_pwait, "epoll_pwait"},
        {SYS_nanosleep, "nanosleep"}, {SYS_clock_nanosleep, "clock_nanosleep"}, {SYS_futex, "futex"},
        {SYS_connect, "connect"}, {SYS_accept, "accept"}, {SYS_accept4, "accept4"}, {SYS_sendto, "sendto"},
        {SYS_recvfrom, "recvfrom"}, {SYS_sendmsg, "sendmsg"}, {SYS_recvmsg, "recvmsg"}, {SYS_wait4, "wait4"},
        {SYS_waitid, "waitid"}, {SYS_vfork, "vfork"}, {SYS_semop, "semop"}, {SYS_msync, "msync"}, {SYS_mmap, "mmap"},
        {SYS_munmap, "munmap"}, {SYS_rt_sigtimedwait, "sigtimedwait"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].number == call) return names[i].name;
    }
    return NULL;
}

struct writer { char *text; size_t length; };

static void put(struct writer *writer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const size_t room = STACKS_TEXT - writer->length;
    const int length = vsnprintf(writer->text + writer->length, room, format, arguments);
    va_end(arguments);
    // A line is there as a whole or not.
    if (length > 0 && (size_t)length < room) writer->length += (size_t)length;
}

size_t stacks_text(char *text) {
    struct writer writer = {text, 0};
    for (int i = 0; i < module_count; i++) put(&writer, "%s", modules[i].line);
    for (int i = 0; i < function_count; i++) {
        const char *space = functions[i].name[0] != 0 ? " " : "";
        if (functions[i].module < 0) put(&writer, "f - 0%s%s\n", space, functions[i].name);
        else {
            put(
                &writer, "f %d %llx%s%s\n", functions[i].module, (unsigned long long)functions[i].offset, space,
                functions[i].name);
        }
    }
    for (int i = 0; i < node_count; i++) put(&writer, "n %d %d\n", nodes[i].parent, nodes[i].function);
    for (int i = 0; i < run_count; i++) {
        const char *name = runs[i].call >= 0 ? call_name(runs[i].call) : NULL;
        char blocked[32] = "";
        if (name != NULL) snprintf(blocked, sizeof blocked, " %s", name);
        else if (runs[i].call >= 0) snprintf(blocked, sizeof blocked, " call-%d", runs[i].call);
        put(
            &writer, "%s %llu %u %d%s\n", runs[i].is_whole ? "s" : "t", (unsigned long long)runs[i].offset,
            runs[i].intervals, runs[i].node, blocked);
    }
    if (skipped > 0) put(&writer, "l %u\n", skipped);
    return writer.length;
}

#endif
