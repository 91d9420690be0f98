#ifndef KEYFLIGHT_STACK_UNWINDER_H
#define KEYFLIGHT_STACK_UNWINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Unwinds a copy of a stack by .eh_frame, x86-64. Not for signal handlers: it takes the loader's lock.

enum {
    UNWIND_RBX = 3, UNWIND_RBP = 6, UNWIND_RSP = 7, UNWIND_R12 = 12, UNWIND_RA = 16,
    UNWIND_REGISTERS = 17, UNWIND_DEPTH = 192, UNWIND_PATH = 256, UNWIND_BUILD_ID = 20
};

/// Registers by their DWARF numbers; `known` has a bit for each whose value is known. Register 16 is the program
/// counter.
struct unwind_registers {
    uint64_t values[UNWIND_REGISTERS];
    uint32_t known;
};

struct unwind_stack {
    const uint8_t *copy;
    /// Address of its first byte.
    uint64_t base;
    size_t length;
};

struct unwind_frame {
    uint64_t pc;
    /// Where its function begins; `pc` itself where no unwind information covers it.
    uint64_t function;
};

struct unwind_module {
    /// Of the segment with the code.
    uint64_t start, end;
    /// What is added to the addresses in its file.
    uint64_t base;
    const uint8_t *header;
    char path[UNWIND_PATH];
    uint8_t build_id[UNWIND_BUILD_ID];
    uint8_t build_id_length;
};

/// Unwinds into `frames`, of UNWIND_DEPTH, the innermost first. Their count; `is_whole` where the outermost is among
/// them.
int unwind(
    struct unwind_registers *registers, const struct unwind_stack *stack, struct unwind_frame *frames, bool *is_whole);

/// The module of an address, as of the last unwinding; NULL for none. On the thread that unwinds.
const struct unwind_module *unwind_module_of(uint64_t address);

/// Registers what keeps a fork from happening while the loader's lock is held here.
void unwind_prepare_forks(void);

#endif
