#ifndef KEYFLIGHT_FRAME_RULES_H
#define KEYFLIGHT_FRAME_RULES_H

#include "stack_unwinder.h"

// The rules of .eh_frame by which the registers of a caller are found (DWARF 5 §6.4, Linux Standard Base §10.6).

enum rule_kind {
    RULE_SAME, RULE_UNDEFINED, RULE_OFFSET, RULE_VALUE_OFFSET, RULE_REGISTER, RULE_EXPRESSION, RULE_VALUE_EXPRESSION
};

struct frame_rule {
    uint8_t kind;
    int32_t value;
    const uint8_t *expression;
};

/// The rules at one address. The canonical frame address is a register and an offset, or an expression.
struct frame_row {
    bool is_signal;
    uint8_t cfa_register;
    int32_t cfa_offset;
    const uint8_t *cfa_expression;
    struct frame_rule rules[UNWIND_REGISTERS];
};

/// The row of an address, and where its function begins; false where no unwind information covers it. Inside
/// dl_iterate_phdr, as what it reads may be unloaded otherwise.
bool find_frame_row(uint64_t pc, struct frame_row *row, uint64_t *function);

/// The eight bytes that the stack had at an address.
bool read_stack(const struct unwind_stack *stack, uint64_t address, uint64_t *value);

/// The value of a DWARF expression; `cfa` is pushed first where it is not NULL.
bool evaluate_expression(
    const uint8_t *expression, const struct unwind_registers *registers, const struct unwind_stack *stack,
    const uint64_t *cfa, uint64_t *result);

#endif
