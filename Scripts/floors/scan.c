// scan FILE ROUNDS: what reading a trace of key events costs at the least. Decodes every packed key record of the mapped
// file (Traces/FORMAT.md §5.2) with the checksum of its block, the press and modifiers that it is expected to have, and
// a histogram of the times between key events; passes over all other records by their length, and stops at the first
// that has none. Prints nanoseconds of the fastest round, and those of a processor.
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

enum { SLOTS = 64 };
struct held { uint64_t code; uint32_t press; };
struct scan {
    uint64_t events, time, sum, histogram[64 * 16];
    uint32_t device, presses, modifiers, held_modifiers;
    int held_count;
    struct held held[SLOTS];
};

static uint64_t now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t crc(uint32_t before, const uint8_t *p, size_t n) {
    uint64_t sum = ~before;
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        sum = _mm_crc32_u64(sum, word);
    }
    for (; n > 0; p++, n--) sum = _mm_crc32_u8((uint32_t)sum, *p);
    return ~(uint32_t)sum;
}
#else
static uint32_t crc(uint32_t before, const uint8_t *p, size_t n) {
    uint32_t sum = ~before;
    for (; n > 0; p++, n--) {
        sum ^= *p;
        for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0x82F63B78u : 0);
    }
    return ~sum;
}
#endif

static uint64_t number(const uint8_t **p, const uint8_t *end) {
    uint64_t value = 0;
    for (int shift = 0; *p < end; shift += 7) {
        uint8_t byte = *(*p)++;
        value |= (uint64_t)(byte & 0x7F) << (shift & 63);
        if (byte < 0x80) break;
    }
    return value;
}

// The flags of bits 0–7 (left Control, Shift, Alt, GUI, then the right ones) as those of modifiers.
static uint32_t flags_of(uint32_t keys) {
    keys |= keys >> 4;
    return (keys & 1) << 18 | (keys >> 1 & 1) << 17 | (keys >> 2 & 1) << 19 | (keys >> 3 & 1) << 20;
}

static void event(struct scan *s, uint8_t tag, uint8_t code) {
    const uint32_t phase = tag >> 3 & 3;
    const int masked = tag & 0x20;
    uint32_t press = 0;
    if (!masked && code >= 0xE0 && code <= 0xE7) {
        const uint32_t bit = 1u << (code - 0xE0);
        if (phase == 0) s->held_modifiers |= bit, s->modifiers |= flags_of(bit);
        else if (phase != 2) {
            s->held_modifiers &= ~bit;
            s->modifiers &= ~(flags_of(bit) & ~flags_of(s->held_modifiers));
        }
    } else {
        const uint64_t key = (uint64_t)s->device << 33 | (masked ? UINT64_C(1) << 32 : UINT64_C(7) << 16) | code;
        if (!masked && code == 0x39 && phase == 0) s->modifiers ^= 1u << 16;
        if (phase == 0) {
            press = ++s->presses;
            if (s->held_count == SLOTS) memmove(s->held, s->held + 1, --s->held_count * sizeof *s->held);
            s->held[s->held_count++] = (struct held){key, press};
        } else {
            int at = -1;
            for (int i = 0; i < s->held_count && (at < 0 || phase == 2); i++)
                if (s->held[i].code == key) at = i;
            if (at >= 0) press = s->held[at].press;
            if (at >= 0 && phase != 2)
                memmove(s->held + at, s->held + at + 1, (--s->held_count - at) * sizeof *s->held);
        }
    }
    s->sum += press + s->modifiers + code;
}

// A block's records; 0 where something stands in it that this program does not know.
static int block(struct scan *s, const uint8_t *p, const uint8_t *end, uint32_t count) {
    uint64_t entries = number(&p, end);
    s->device = 1, s->modifiers = s->held_modifiers = 0, s->held_count = 0;
    for (; entries > 0; entries--) {
        const uint8_t kind = *p++;
        uint64_t length = number(&p, end);
        const uint8_t *next = p + length;
        if (kind == 96) s->device = number(&p, end), s->presses = number(&p, end), s->modifiers = number(&p, end);
        if (kind == 98) number(&p, end), s->held_modifiers = number(&p, end);
        if (kind == 97 && s->held_count < SLOTS) {
            struct held *held = &s->held[s->held_count++];
            held->code = number(&p, end) << 33;
            held->press = number(&p, end);
            const int masked = *p++;
            held->code |= masked ? UINT64_C(1) << 32 | *p : number(&p, end);
        }
        p = next;
    }
    while (count > 0 && p < end) {
        const uint8_t tag = *p;
        if (tag & 0x80) {
            const unsigned length = tag & 7;
            uint64_t word = 0;
            if (end - p >= 9) memcpy(&word, p + 1, 8);
            else memcpy(&word, p + 1, end - p - 1);
            const uint64_t delta = length == 0 ? 0 : word & (~UINT64_C(0) >> (64 - 8 * length));
            if (length != 0 && delta >> (8 * length - 8) == 0) return 0;
            s->time += delta;
            const int octave = delta < 16 ? 0 : 60 - __builtin_clzll(delta);
            s->histogram[octave * 16 + (delta >> (octave == 0 ? 0 : octave - 1) & 15)]++;
            p += 1 + length;
            const uint8_t code = *p++;
            if (tag & 0x40) {
                const uint8_t extra = *p++;
                if (extra & 16) number(&p, end);
                if (extra & 1) s->device = number(&p, end);
                uint64_t press = extra & 2 ? number(&p, end) : 0;
                event(s, tag, code);
                if (extra & 4) s->modifiers = number(&p, end);
                s->sum += press;
            } else {
                event(s, tag, code);
            }
            s->events++;
        } else {
            if (tag == 0 || (tag >= 64 && tag < 112)) return 0;
            p++;
            s->time += number(&p, end);
            uint64_t length = number(&p, end);
            p += length;
        }
        count--;
    }
    return count == 0 && p == end;
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: scan FILE ROUNDS\n"), 64;
    int fd = open(argv[1], O_RDONLY);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) < 0 || info.st_size < 28) return perror(argv[1]), 2;
    const size_t size = info.st_size;
    const uint8_t *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (file == MAP_FAILED) return perror("mmap"), 2;
    uint64_t best = UINT64_MAX, best_processor = UINT64_MAX;
    static struct scan s;
    for (int round = 0; round < atoi(argv[2]); round++) {
        const uint64_t begin = now(CLOCK_MONOTONIC), begin_processor = now(CLOCK_PROCESS_CPUTIME_ID);
        memset(&s, 0, sizeof s);
        size_t at = 28;
        while (size - at >= 36 && memcmp(file + at, "\xF5KFB", 4) == 0) {
            uint32_t length, count, sum;
            uint64_t time;
            memcpy(&length, file + at + 8, 4);
            memcpy(&count, file + at + 12, 4);
            memcpy(&time, file + at + 16, 8);
            memcpy(&sum, file + at + 32, 4);
            if (length > size - at - 36) return fprintf(stderr, "cut short at %zu\n", at), 1;
            if (crc(crc(0, file + at, 32), file + at + 36, length) != sum)
                return fprintf(stderr, "wrong checksum at %zu\n", at), 1;
            s.time = time;
            if (file[at + 4] == 1 && !block(&s, file + at + 36, file + at + 36 + length, count))
                return fprintf(stderr, "unknown records in the block at %zu\n", at), 1;
            at += 36 + length;
        }
        const uint64_t took = now(CLOCK_MONOTONIC) - begin, of_processor = now(CLOCK_PROCESS_CPUTIME_ID) - begin_processor;
        if (took < best) best = took;
        if (of_processor < best_processor) best_processor = of_processor;
    }
    printf("bytes %zu events %" PRIu64 " check %016" PRIx64 " ns %" PRIu64 " processor_ns %" PRIu64 "\n", size, s.events, s.sum,
           best, best_processor);
    return 0;
}
