#include "frame_rules.h"

#if defined(__linux__) && defined(__x86_64__)

#include <string.h>

// MARK: Numbers

static uint64_t unsigned_leb(const uint8_t **at) {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        const uint8_t byte = *(*at)++;
        if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return value;
    }
}

static int64_t signed_leb(const uint8_t **at) {
    uint64_t value = 0;
    int shift = 0;
    uint8_t byte;
    do {
        byte = *(*at)++;
        if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    if (shift < 64 && (byte & 0x40)) value |= ~0ull << shift;
    return (int64_t)value;
}

/// A number of 1, 2, 4 or 8 bytes.
static uint64_t fixed(const uint8_t **at, size_t size, bool is_signed) {
    uint64_t value = 0;
    memcpy(&value, *at, size);
    *at += size;
    const unsigned unused = 64 - 8 * (unsigned)size;
    return is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

/// A pointer as DW_EH_PE_… says. Indirect ones are personalities, whose value nothing here needs.
static uint64_t encoded(const uint8_t **at, uint8_t encoding, uint64_t data) {
    if (encoding == 0xff) return 0;
    const uint64_t here = (uint64_t)*at;
    uint64_t value;
    switch (encoding & 0x0f) {
    case 0x01: value = unsigned_leb(at); break;
    case 0x02: value = fixed(at, 2, false); break;
    case 0x03: value = fixed(at, 4, false); break;
    case 0x09: value = (uint64_t)signed_leb(at); break;
    case 0x0a: value = fixed(at, 2, true); break;
    case 0x0b: value = fixed(at, 4, true); break;
    default: value = fixed(at, 8, false); break;
    }
    if ((encoding & 0x70) == 0x10) value += here;
    if ((encoding & 0x70) == 0x30) value += data;
    return value;
}

// MARK: Entries

struct common_entry {
    uint64_t code_factor;
    int64_t data_factor;
    uint8_t encoding;
    bool is_signal, has_augmentation;
    const uint8_t *begin, *end;
};

static bool read_common(const uint8_t *at, struct common_entry *entry) {
    memset(entry, 0, sizeof *entry);
    const uint32_t length = (uint32_t)fixed(&at, 4, false);
    if (length == 0xffffffff) return false;
    entry->end = at + length;
    at += 4;
    const uint8_t version = *at++;
    const char *augmentation = (const char *)at;
    at += strlen(augmentation) + 1;
    entry->code_factor = unsigned_leb(&at);
    entry->data_factor = signed_leb(&at);
    if (version == 1) at++;
    else unsigned_leb(&at);
    for (const char *letter = augmentation; *letter != 0; letter++) {
        switch (*letter) {
        case 'z': {
            const uint64_t size = unsigned_leb(&at);
            entry->has_augmentation = true;
            entry->begin = at + size;
            break;
        }
        case 'R': entry->encoding = *at++; break;
        case 'P': {
            const uint8_t encoding = *at++;
            encoded(&at, encoding & 0x7f, 0);
            break;
        }
        case 'L': at++; break;
        case 'S': entry->is_signal = true; break;
        default: return entry->begin != NULL;
        }
    }
    if (entry->begin == NULL) entry->begin = at;
    return true;
}

struct program {
    const uint8_t *at, *end;
    const struct common_entry *common;
    uint64_t location, pc;
    struct frame_row *row;
    const struct frame_row *initial;
    struct frame_row saved[4];
    int depth;
    struct frame_rule ignored;
};

static struct frame_rule *rule_of(struct program *program, uint64_t number) {
    return number < UNWIND_REGISTERS ? &program->row->rules[number] : &program->ignored;
}

static void restore_rule(struct program *program, uint64_t number) {
    if (number < UNWIND_REGISTERS) program->row->rules[number] = program->initial->rules[number];
}

static const uint8_t *skip_expression(const uint8_t **at) {
    const uint8_t *expression = *at;
    const uint64_t size = unsigned_leb(at);
    *at += size;
    return expression;
}

/// An instruction about the rule of the register that is its first operand; false for another one.
static bool set_rule(struct program *p, uint8_t instruction) {
    static const uint8_t kinds[] = {
        [0x05] = RULE_OFFSET,     [0x07] = RULE_UNDEFINED,     [0x09] = RULE_REGISTER,     [0x10] = RULE_EXPRESSION,
        [0x11] = RULE_OFFSET,     [0x14] = RULE_VALUE_OFFSET,  [0x15] = RULE_VALUE_OFFSET,
        [0x16] = RULE_VALUE_EXPRESSION, [0x2f] = RULE_OFFSET};
    const bool is_same = instruction == 0x08;
    if (!is_same && (instruction >= sizeof kinds || kinds[instruction] == RULE_SAME)) return false;
    struct frame_rule *rule = rule_of(p, unsigned_leb(&p->at));
    *rule = (struct frame_rule){is_same ? RULE_SAME : kinds[instruction], 0, NULL};
    switch (instruction) {
    case 0x07: case 0x08: break;
    case 0x09: rule->value = (int32_t)unsigned_leb(&p->at); break;
    case 0x10: case 0x16: rule->expression = skip_expression(&p->at); break;
    case 0x11: case 0x15: rule->value = (int32_t)(signed_leb(&p->at) * p->common->data_factor); break;
    default: rule->value = (int32_t)((int64_t)unsigned_leb(&p->at) * p->common->data_factor); break;
    }
    // DW_CFA_GNU_negative_offset_extended
    if (instruction == 0x2f) rule->value = -rule->value;
    return true;
}

/// An instruction without an operand in its own byte, but for those that move on; false for one that is not known.
static bool step(struct program *p, uint8_t instruction) {
    struct frame_row *row = p->row;
    switch (instruction) {
    case 0x00: return true;
    case 0x06: restore_rule(p, unsigned_leb(&p->at)); return true;
    case 0x0a:
        if (p->depth == 4) return false;
        p->saved[p->depth++] = *row;
        return true;
    case 0x0b:
        if (p->depth == 0) return false;
        *row = p->saved[--p->depth];
        return true;
    case 0x0c: case 0x0d: case 0x12:
        row->cfa_register = (uint8_t)unsigned_leb(&p->at);
        row->cfa_expression = NULL;
        if (instruction == 0x0c) row->cfa_offset = (int32_t)unsigned_leb(&p->at);
        if (instruction == 0x12) row->cfa_offset = (int32_t)(signed_leb(&p->at) * p->common->data_factor);
        return true;
    case 0x0e: row->cfa_offset = (int32_t)unsigned_leb(&p->at); return true;
    case 0x0f: row->cfa_expression = skip_expression(&p->at); return true;
    case 0x13: row->cfa_offset = (int32_t)(signed_leb(&p->at) * p->common->data_factor); return true;
    case 0x2e: unsigned_leb(&p->at); return true;
    default: return set_rule(p, instruction);
    }
}

/// Runs the instructions up to the row of `pc`.
static bool run(struct program *p) {
    while (p->at < p->end) {
        const uint8_t instruction = *p->at++, low = instruction & 0x3f;
        uint64_t advance = 0;
        if ((instruction & 0xc0) == 0x40) advance = low;
        else if ((instruction & 0xc0) == 0x80) {
            const int64_t offset = (int64_t)unsigned_leb(&p->at) * p->common->data_factor;
            *rule_of(p, low) = (struct frame_rule){RULE_OFFSET, (int32_t)offset, NULL};
            continue;
        } else if ((instruction & 0xc0) == 0xc0) {
            restore_rule(p, low);
            continue;
        } else if (instruction == 0x01) {
            p->location = encoded(&p->at, p->common->encoding, 0);
            if (p->location > p->pc) return true;
            continue;
        } else if (instruction >= 0x02 && instruction <= 0x04) {
            advance = fixed(&p->at, (size_t)1 << (instruction - 2), false);
        } else {
            if (!step(p, instruction)) return false;
            continue;
        }
        p->location += advance * p->common->code_factor;
        if (p->location > p->pc) return true;
    }
    return true;
}

/// The entry of an address, by the binary search table of .eh_frame_hdr.
static const uint8_t *find_entry(const uint8_t *header, uint64_t pc) {
    // Version 1, and a table of offsets of four bytes, which is what every linker writes.
    if (header == NULL || header[0] != 1 || header[3] != 0x3b) return NULL;
    const uint8_t *at = header + 4;
    encoded(&at, header[1], (uint64_t)header);
    const uint64_t count = encoded(&at, header[2], (uint64_t)header);
    const int64_t key = (int64_t)(pc - (uint64_t)header);
    uint64_t low = 0, high = count;
    int32_t pair[2];
    while (low < high) {
        const uint64_t middle = (low + high) / 2;
        memcpy(pair, at + 8 * middle, sizeof pair);
        if (pair[0] <= key) low = middle + 1;
        else high = middle;
    }
    if (low == 0) return NULL;
    memcpy(pair, at + 8 * (low - 1), sizeof pair);
    return header + pair[1];
}

bool find_frame_row(uint64_t pc, struct frame_row *row, uint64_t *function) {
    const struct unwind_module *module = unwind_module_of(pc);
    const uint8_t *at = module != NULL ? find_entry(module->header, pc) : NULL;
    if (at == NULL) return false;
    const uint32_t length = (uint32_t)fixed(&at, 4, false);
    const uint8_t *end = at + length;
    const uint8_t *common_at = at - (int32_t)fixed(&at, 4, false);
    struct common_entry common;
    if (length == 0xffffffff || !read_common(common_at, &common)) return false;
    const uint64_t begin = encoded(&at, common.encoding, 0);
    const uint64_t size = encoded(&at, common.encoding & 0x0f, 0);
    if (pc < begin || pc - begin >= size) return false;
    if (common.has_augmentation) {
        const uint64_t augmentation = unsigned_leb(&at);
        at += augmentation;
    }
    memset(row, 0, sizeof *row);
    struct frame_row initial;
    struct program program = {common.begin, common.end, &common, 0, ~0ull, row, row, {{0}}, 0, {0}};
    if (!run(&program)) return false;
    initial = *row;
    program = (struct program){at, end, &common, begin, pc, row, &initial, {{0}}, 0, {0}};
    if (!run(&program)) return false;
    row->is_signal = common.is_signal;
    *function = begin;
    return true;
}

// MARK: Expressions

bool read_stack(const struct unwind_stack *stack, uint64_t address, uint64_t *value) {
    if (address < stack->base || address - stack->base > stack->length || stack->length - (address - stack->base) < 8) {
        return false;
    }
    memcpy(value, stack->copy + (address - stack->base), 8);
    return true;
}

/// An operation on the two values on top, of which it leaves one.
static bool combine(uint8_t operation, uint64_t *left, uint64_t right) {
    switch (operation) {
    case 0x1a: *left &= right; return true;
    case 0x1c: *left -= right; return true;
    case 0x21: *left |= right; return true;
    case 0x22: *left += right; return true;
    case 0x24: *left = right < 64 ? *left << right : 0; return true;
    case 0x25: *left = right < 64 ? *left >> right : 0; return true;
    case 0x2a: *left = (int64_t)*left >= (int64_t)right; return true;
    default: return false;
    }
}

bool evaluate_expression(
    const uint8_t *at, const struct unwind_registers *registers, const struct unwind_stack *stack, const uint64_t *cfa,
    uint64_t *result) {
    enum { ROOM = 16 };
    uint64_t values[ROOM];
    int count = 0;
    if (cfa != NULL) values[count++] = *cfa;
    const uint64_t size = unsigned_leb(&at);
    const uint8_t *end = at + size;
    while (at < end) {
        const uint8_t operation = *at++;
        uint64_t pushed;
        if (operation >= 0x30 && operation <= 0x4f) pushed = operation - 0x30;
        else if (operation >= 0x70 && operation <= 0x8f) {
            const int number = operation - 0x70;
            const int64_t offset = signed_leb(&at);
            if (number >= UNWIND_REGISTERS || !(registers->known >> number & 1)) return false;
            pushed = registers->values[number] + (uint64_t)offset;
        } else if (operation == 0x08) pushed = fixed(&at, 1, false);
        else if (operation == 0x09) pushed = fixed(&at, 1, true);
        else if (operation == 0x0a) pushed = fixed(&at, 2, false);
        else if (operation == 0x10) pushed = unsigned_leb(&at);
        else if (operation == 0x11) pushed = (uint64_t)signed_leb(&at);
        else if (count == 0) return false;
        else if (operation == 0x06) {
            if (!read_stack(stack, values[count - 1], &values[count - 1])) return false;
            continue;
        } else if (operation == 0x12) pushed = values[count - 1];
        else if (operation == 0x23) {
            values[count - 1] += unsigned_leb(&at);
            continue;
        } else {
            if (count < 2 || !combine(operation, &values[count - 2], values[count - 1])) return false;
            count--;
            continue;
        }
        if (count == ROOM) return false;
        values[count++] = pushed;
    }
    if (count == 0) return false;
    *result = values[count - 1];
    return true;
}

#endif
