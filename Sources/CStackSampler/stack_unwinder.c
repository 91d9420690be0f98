#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "stack_unwinder.h"

#if defined(__linux__) && defined(__x86_64__) && defined(__GLIBC__)

#include <link.h>
#include <pthread.h>
#include <string.h>

#include "frame_rules.h"
#include "modules.h"

// MARK: What is needed of a row, kept by address

enum { KEPT = 6, CACHE = 4096 };
static const uint8_t kept_registers[KEPT] = {UNWIND_RBX, UNWIND_RBP, 12, 13, 14, 15};

enum row_state { ROW_UNKNOWN, ROW_SIMPLE, ROW_FULL, ROW_NONE };

struct known_row {
    uint64_t pc, function;
    uint8_t state, cfa_register;
    bool is_outermost;
    int32_t cfa_offset;
    /// From the canonical frame address; 0 for a register that is as it was.
    int16_t saved[KEPT];
};
static struct known_row known_rows[CACHE];

static bool simplify(const struct frame_row *row, struct known_row *known) {
    if (row->cfa_expression != NULL || row->is_signal) return false;
    const struct frame_rule *address = &row->rules[UNWIND_RA];
    known->is_outermost = address->kind == RULE_UNDEFINED;
    if (!known->is_outermost && (address->kind != RULE_OFFSET || address->value != -8)) return false;
    for (int i = 0; i < KEPT; i++) {
        const struct frame_rule *rule = &row->rules[kept_registers[i]];
        if (rule->kind == RULE_SAME || rule->kind == RULE_UNDEFINED) continue;
        if (rule->kind != RULE_OFFSET || rule->value < INT16_MIN || rule->value > INT16_MAX) return false;
        known->saved[i] = (int16_t)rule->value;
    }
    known->cfa_register = row->cfa_register;
    known->cfa_offset = row->cfa_offset;
    return true;
}

/// `row` is filled where the state is ROW_FULL.
static struct known_row *look_up(uint64_t pc, struct frame_row *row) {
    struct known_row *known = &known_rows[(pc * 0x9e3779b97f4a7c15ull) >> 52];
    if (known->pc == pc && (known->state == ROW_SIMPLE || known->state == ROW_NONE)) return known;
    memset(known, 0, sizeof *known);
    known->pc = pc;
    if (!find_frame_row(pc, row, &known->function)) known->state = ROW_NONE;
    else known->state = simplify(row, known) ? ROW_SIMPLE : ROW_FULL;
    return known;
}

// MARK: Code without rules, and registers that are not known

static bool is_call(const uint8_t *end) {
    if (end[-5] == 0xe8) return true;
    // call *register, and call *memory in its lengths.
    for (int length = 2; length <= 7; length++) {
        if (length != 5 && end[-length] == 0xff && (end[1 - length] & 0x38) == 0x10) return true;
    }
    return false;
}

static bool is_return_address(uint64_t address) {
    const struct unwind_module *module = unwind_module_of(address);
    return module != NULL && address - module->start >= 8 && is_call((const uint8_t *)address);
}

/// Of a blocked thread only the stack pointer is known. A function that needs its frame pointer has pushed that of its
/// caller: the first pair further up of an address further up and of a return address.
static bool find_frame_pointer(const struct unwind_stack *stack, uint64_t from, uint64_t *pointer) {
    for (uint64_t at = from; at < from + 8192; at += 8) {
        uint64_t saved, address;
        if (!read_stack(stack, at, &saved) || !read_stack(stack, at + 8, &address)) return false;
        if (saved > at && saved - stack->base < stack->length && saved % 8 == 0 && is_return_address(address)) {
            *pointer = at;
            return true;
        }
    }
    return false;
}

// MARK: Unwinding

struct walk {
    struct unwind_registers *registers;
    const struct unwind_stack *stack;
    struct unwind_frame *frames;
    int count;
    bool is_whole, is_done;
};

enum outcome { STEPPED, SIGNAL_STEPPED, OUTERMOST, FAILED };

static enum outcome to_caller(struct unwind_registers *registers, uint64_t cfa, uint64_t address) {
    if (address == 0) return OUTERMOST;
    if (cfa <= registers->values[UNWIND_RSP]) return FAILED;
    registers->values[UNWIND_RSP] = cfa;
    registers->values[UNWIND_RA] = address;
    return STEPPED;
}

/// Past a function without rules: by the frame pointer, or, for the innermost, by the return address on top.
static enum outcome step_without_rules(struct walk *walk) {
    struct unwind_registers *registers = walk->registers;
    const uint64_t pointer = registers->values[UNWIND_RBP], top = registers->values[UNWIND_RSP];
    uint64_t address, saved;
    if (walk->count == 1) {
        for (uint64_t at = top; at <= top + 8; at += 8) {
            if (!read_stack(walk->stack, at, &address) || !is_return_address(address)) continue;
            return to_caller(registers, at + 8, address);
        }
    }
    if (!(registers->known >> UNWIND_RBP & 1) || pointer < top) return FAILED;
    if (!read_stack(walk->stack, pointer, &saved) || !read_stack(walk->stack, pointer + 8, &address)) return FAILED;
    if (unwind_module_of(address) == NULL) return FAILED;
    registers->values[UNWIND_RBP] = saved;
    return to_caller(registers, pointer + 16, address);
}

static enum outcome step_simply(struct walk *walk, const struct known_row *row) {
    if (row->is_outermost) return OUTERMOST;
    struct unwind_registers *registers = walk->registers;
    if (!(registers->known >> row->cfa_register & 1)) {
        uint64_t *pointer = &registers->values[UNWIND_RBP];
        if (row->cfa_register != UNWIND_RBP) return FAILED;
        if (!find_frame_pointer(walk->stack, registers->values[UNWIND_RSP], pointer)) return FAILED;
        registers->known |= 1u << UNWIND_RBP;
    }
    const uint64_t cfa = registers->values[row->cfa_register] + (uint64_t)(int64_t)row->cfa_offset;
    uint64_t address;
    if (!read_stack(walk->stack, cfa - 8, &address)) return FAILED;
    for (int i = 0; i < KEPT; i++) {
        if (row->saved[i] == 0) continue;
        const int number = kept_registers[i];
        if (!read_stack(walk->stack, cfa + (uint64_t)(int64_t)row->saved[i], &registers->values[number])) return FAILED;
        registers->known |= 1u << number;
    }
    return to_caller(registers, cfa, address);
}

static bool apply(
    const struct frame_rule *rule, const struct unwind_registers *before, const struct unwind_stack *stack,
    uint64_t cfa, uint64_t *value) {
    switch (rule->kind) {
    case RULE_OFFSET: return read_stack(stack, cfa + (uint64_t)(int64_t)rule->value, value);
    case RULE_VALUE_OFFSET: *value = cfa + (uint64_t)(int64_t)rule->value; return true;
    case RULE_REGISTER:
        if (rule->value >= UNWIND_REGISTERS || !(before->known >> rule->value & 1)) return false;
        *value = before->values[rule->value];
        return true;
    case RULE_EXPRESSION:
        return evaluate_expression(rule->expression, before, stack, &cfa, value) && read_stack(stack, *value, value);
    case RULE_VALUE_EXPRESSION: return evaluate_expression(rule->expression, before, stack, &cfa, value);
    default: return false;
    }
}

static enum outcome step_fully(struct walk *walk, const struct frame_row *row) {
    struct unwind_registers *registers = walk->registers;
    const struct unwind_registers before = *registers;
    uint64_t cfa;
    if (row->cfa_expression != NULL) {
        if (!evaluate_expression(row->cfa_expression, &before, walk->stack, NULL, &cfa)) return FAILED;
    } else {
        if (row->cfa_register >= UNWIND_REGISTERS || !(before.known >> row->cfa_register & 1)) return FAILED;
        cfa = before.values[row->cfa_register] + (uint64_t)(int64_t)row->cfa_offset;
    }
    if (row->rules[UNWIND_RA].kind == RULE_UNDEFINED) return OUTERMOST;
    for (int number = 0; number < UNWIND_REGISTERS; number++) {
        const struct frame_rule *rule = &row->rules[number];
        if (rule->kind == RULE_SAME) continue;
        uint64_t value = 0;
        if (apply(rule, &before, walk->stack, cfa, &value)) {
            registers->values[number] = value;
            registers->known |= 1u << number;
        } else if (number == UNWIND_RA) return FAILED;
        else registers->known &= ~(1u << number);
    }
    if (!row->is_signal) {
        const uint64_t address = registers->values[UNWIND_RA];
        registers->values[UNWIND_RSP] = before.values[UNWIND_RSP];
        return to_caller(registers, cfa, address);
    }
    // What a signal interrupted has its own stack pointer, by a rule, and perhaps on another stack.
    if (row->rules[UNWIND_RSP].kind == RULE_SAME) registers->values[UNWIND_RSP] = cfa;
    return SIGNAL_STEPPED;
}

static void walk_all(struct walk *walk) {
    bool is_exact = true;
    while (walk->count < UNWIND_DEPTH) {
        const uint64_t pc = walk->registers->values[UNWIND_RA];
        struct frame_row row;
        // A return address may be the first one of the next function.
        const struct known_row *known = look_up(is_exact ? pc : pc - 1, &row);
        walk->frames[walk->count++] = (struct unwind_frame){pc, known->state == ROW_NONE ? pc : known->function};
        const enum outcome outcome =
            known->state == ROW_NONE ? step_without_rules(walk)
            : known->state == ROW_SIMPLE ? step_simply(walk, known) : step_fully(walk, &row);
        if (outcome == OUTERMOST) walk->is_whole = true;
        if (outcome == OUTERMOST || outcome == FAILED) return;
        is_exact = outcome == SIGNAL_STEPPED;
    }
}

static int walk_with_loader(struct dl_phdr_info *info, size_t size, void *state) {
    (void)size;
    if (!modules_are_current(info)) return 2;
    struct walk *walk = state;
    walk_all(walk);
    walk->is_done = true;
    return 1;
}

/// Held while the loader's lock may be: a fork in between would leave that one locked in the new process.
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static void before_fork(void) { pthread_mutex_lock(&loading); }
static void after_fork(void) { pthread_mutex_unlock(&loading); }
void unwind_prepare_forks(void) { pthread_atfork(before_fork, after_fork, after_fork); }

int unwind(
    struct unwind_registers *registers, const struct unwind_stack *stack, struct unwind_frame *frames, bool *is_whole) {
    struct walk walk = {registers, stack, frames, 0, false, false};
    pthread_mutex_lock(&loading);
    for (int attempt = 0; attempt < 4 && !walk.is_done; attempt++) {
        if (dl_iterate_phdr(walk_with_loader, &walk) != 2) break;
        const bool has_unloaded = modules_refresh();
        for (int i = 0; i < CACHE; i++) {
            // What had no rules may have some now.
            if (has_unloaded || known_rows[i].state == ROW_NONE) known_rows[i].state = ROW_UNKNOWN;
        }
    }
    pthread_mutex_unlock(&loading);
    *is_whole = walk.is_whole;
    return walk.count;
}

#endif
