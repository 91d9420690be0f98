#include "crc32c.h"

#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>

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
    if (__builtin_cpu_supports("sse4.2")) return ~with_instruction(crc, bytes, length);
#endif
    return ~portable(crc, bytes, length);
}
