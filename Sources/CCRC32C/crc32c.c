#include "crc32c.h"

#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#include <wmmintrin.h>

__attribute__((target("sse4.2"))) static uint32_t with_instruction(uint32_t crc, const uint8_t *p, size_t n) {
    uint64_t wide = crc;
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        wide = _mm_crc32_u64(wide, word);
    }
    crc = (uint32_t)wide;
    for (; n > 0; p++, n--) crc = _mm_crc32_u8(crc, *p);
    return crc;
}

// Three sums side by side, since the instruction takes three cycles and a processor begins one in each. Bytes that
// follow a sum multiply it by x^8 each, so the first two are multiplied by what the bytes behind them come to.
enum { PART = 512 };

// The product of two remainders of 32 bits, times x^33, which the constants below take back.
__attribute__((target("sse4.2,pclmul"))) static uint32_t product(uint32_t a, uint32_t b) {
    const __m128i wide = _mm_clmulepi64_si128(_mm_cvtsi32_si128((int)a), _mm_cvtsi32_si128((int)b), 0);
    return (uint32_t)_mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(wide));
}

__attribute__((target("sse4.2,pclmul"))) static uint32_t with_three_sums(uint32_t crc, const uint8_t *p, size_t n) {
    // x^(8 · PART − 33) and x^(16 · PART − 33), modulo the polynomial.
    static const uint32_t one_part = 0xDD7E3B0C, two_parts = 0x170076FA;
    for (; n >= 3 * PART; p += 3 * PART, n -= 3 * PART) {
        uint64_t first = crc, second = 0, third = 0;
        for (size_t at = 0; at < PART; at += 8) {
            uint64_t a, b, c;
            memcpy(&a, p + at, 8);
            memcpy(&b, p + PART + at, 8);
            memcpy(&c, p + 2 * PART + at, 8);
            first = _mm_crc32_u64(first, a);
            second = _mm_crc32_u64(second, b);
            third = _mm_crc32_u64(third, c);
        }
        crc = product((uint32_t)first, two_parts) ^ product((uint32_t)second, one_part) ^ (uint32_t)third;
    }
    return with_instruction(crc, p, n);
}
#endif

static uint32_t portable(uint32_t crc, const uint8_t *p, size_t n) {
    // Sixteen entries: half a byte at a time needs no start-up table of 256.
    static const uint32_t half[16] = {
        0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3, 0x61C69362, 0x7198540D,
        0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9, 0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75,
    };
    for (; n > 0; p++, n--) {
        crc ^= *p;
        crc = crc >> 4 ^ half[crc & 15];
        crc = crc >> 4 ^ half[crc & 15];
    }
    return crc;
}

uint32_t keyflight_crc32c(uint32_t crc, const void *bytes, size_t length) {
    crc = ~crc;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2")) {
        const int is_long = length >= 3 * PART && __builtin_cpu_supports("pclmul");
        return ~(is_long ? with_three_sums(crc, bytes, length) : with_instruction(crc, bytes, length));
    }
#endif
    return ~portable(crc, bytes, length);
}
