#ifndef KEYFLIGHT_CRC32C_H
#define KEYFLIGHT_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78) of `length` bytes, continuing from `crc` (0 at the start).
uint32_t keyflight_crc32c(uint32_t crc, const void *bytes, size_t length);

#endif
