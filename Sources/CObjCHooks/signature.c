#include "signature.h"

#include <stddef.h>
#include <string.h>

static bool is_one_of(char character, const char *set) { return character != 0 && strchr(set, character) != NULL; }

/// Skips const, in, inout, out, bycopy, byref, oneway, atomic.
static const char *skip_qualifiers(const char *at) {
    while (is_one_of(*at, "rnNoORVA")) at++;
    return at;
}

/// Skips the type that begins at `at`: brackets with their contents, names in quotation marks, what a pointer
/// points to.
static const char *skip_type(const char *at) {
    at = skip_qualifiers(at);
    while (*at == '^') at = skip_qualifiers(at + 1);
    int depth = 0;
    do {
        if (*at == 0) return at;
        if (*at == '"') {
            const char *closing = strchr(at + 1, '"');
            if (closing == NULL) return at + strlen(at);
            at = closing;
        }
        if (is_one_of(*at, "{([<")) depth++;
        if (is_one_of(*at, "})]>")) depth--;
        at++;
    } while (depth > 0);
    return at;
}

/// The bytes of an integer as a digit, 0 for another type.
static char integer_kind(char type) {
    if (is_one_of(type, "BcC")) return '1';
    if (is_one_of(type, "sS")) return '2';
    if (is_one_of(type, "iI")) return '4';
    if (is_one_of(type, "qQ")) return '8';
    // GCC writes a 64-bit long as q; Apple's l is 32 bits wide whatever long is.
    if (is_one_of(type, "lL")) return '4';
    return 0;
}

/// The kind of the type at `*at`, which is moved behind it; 0 for one that no stub passes on.
static char read_kind(const char **at) {
    const char *type = skip_qualifiers(*at);
    const char *end = skip_type(type);
    char kind = integer_kind(*type);
    if (is_one_of(*type, "v@:")) kind = *type;
    if (*type == '#') kind = '@';
    if (is_one_of(*type, "^*")) kind = '^';
    if (*type == '{') {
        const char *fields = memchr(type, '=', (size_t)(end - type));
        bool is_range = fields != NULL && end - fields == 4 && end[-1] == '}' && integer_kind(fields[1]) == '8' &&
                        integer_kind(fields[2]) == '8';
        kind = is_range ? 'R' : 0;
    }
    if (*type == '@') {
        // A block may be followed by its types, an object by the name of its class.
        if (*end == '?') end++;
        if (*end == '<' || *end == '"') end = skip_type(end);
    }
    if (*end == '+' || *end == '-') end++;
    while (*end >= '0' && *end <= '9') end++;
    *at = end;
    return kind;
}

/// Assigns the next argument its words as the calling convention does. False when there is no place left.
static bool place_words(
    struct keyflight_signature *signature, uint8_t count, uint8_t *next_register, uint8_t *next_stack) {
#if defined(__x86_64__)
    // A struct that does not fit goes to the stack whole, and leaves its register to others.
    const uint8_t registers = 6;
#else
    const uint8_t registers = 8;  // arm64
#endif
    bool fits = *next_register + count <= registers;
    uint8_t *next = fits ? next_register : next_stack;
    if (*next + count > KEYFLIGHT_STUB_WORDS) return false;
    if (signature->word_count + count > KEYFLIGHT_STUB_ARGUMENTS) return false;
    for (uint8_t word = 0; word < count; word++) signature->places[signature->word_count++] = (*next)++;
    return true;
}

bool keyflight_read_signature(const char *types, struct keyflight_signature *signature) {
    memset(signature, 0, sizeof *signature);
    if (types == NULL) return false;
    signature->result = read_kind(&types);
    if (signature->result == 0 || signature->result == 'R') return false;
    if (read_kind(&types) != '@' || read_kind(&types) != ':') return false;
#if defined(__x86_64__)
    uint8_t next_register = 2, next_stack = 6;
#else
    uint8_t next_register = 2, next_stack = 8;
#endif
    while (*types != 0) {
        char kind = read_kind(&types);
        if (kind == 0 || kind == 'v') return false;
        if (!place_words(signature, kind == 'R' ? 2 : 1, &next_register, &next_stack)) return false;
        signature->arguments[signature->argument_count++] = kind;
    }
    return true;
}

bool keyflight_signature_fits(const struct keyflight_signature *found, const struct keyflight_signature *expected) {
    if (expected->result != 'v' && expected->result != found->result) return false;
    return found->argument_count == expected->argument_count &&
           memcmp(found->arguments, expected->arguments, found->argument_count) == 0;
}
