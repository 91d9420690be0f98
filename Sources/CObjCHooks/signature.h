#ifndef KEYFLIGHT_SIGNATURE_H
#define KEYFLIGHT_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

// A method's type encoding, as far as a stub must know it: what travels in which word.

/// Words that a stub passes on, object and selector among them.
#define KEYFLIGHT_STUB_WORDS 8
#define KEYFLIGHT_STUB_ARGUMENTS (KEYFLIGHT_STUB_WORDS - 2)

struct keyflight_signature {
    /// Kinds: 'v' void, '@' object or class, ':' selector, '^' pointer, '1' '2' '4' '8' integers by their bytes, 'R'
    /// two 64-bit integers.
    char result;
    char arguments[KEYFLIGHT_STUB_ARGUMENTS];
    uint8_t argument_count;
    /// Place of each word of the arguments among the words of a stub.
    uint8_t places[KEYFLIGHT_STUB_ARGUMENTS];
    uint8_t word_count;
};

/// False where a stub cannot pass on such a call, or where the encoding is malformed.
bool keyflight_read_signature(const char *types, struct keyflight_signature *signature);

/// True if a method of the one type can be observed as one of the other.
bool keyflight_signature_fits(const struct keyflight_signature *found, const struct keyflight_signature *expected);

#endif
