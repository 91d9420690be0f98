#ifndef KEYFLIGHT_SAMPLED_STACKS_H
#define KEYFLIGHT_SAMPLED_STACKS_H

#include "stack_unwinder.h"

// The stacks of one span: functions by number, stacks as a tree, samples that follow each other joined. Everything is
// of the sampler's thread, and of fixed size: a span that needs more loses samples, which are counted.

/// The bytes of the text of one span at most: limit of the field `stacks` in `Traces/FORMAT.md`.
enum { STACKS_TEXT = 1 << 17 };

typedef bool (*function_namer)(uintptr_t function, char *name, size_t size);

void stacks_begin(void);

/// Adds a sample: `offset` nanoseconds after the arm, of so many intervals; `call`: the system call in which the thread
/// is blocked, -1 for none. True where its stack is that of the sample before.
bool stacks_add(
    uint64_t offset, unsigned intervals, int call, const struct unwind_frame *frames, int count, bool is_whole,
    function_namer namer);

/// Number of samples that were not taken or found no room.
void stacks_skip(unsigned samples);

/// The text; its length.
size_t stacks_text(char *text);

#endif
