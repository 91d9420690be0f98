// scan FILE ROUNDS: what reading a trace costs at the least: the CRC-32C of every 64 KiB and one look at every byte (the
// ends of variable-length numbers are counted), on the mapped file. Prints nanoseconds of the fastest round.
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

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint64_t crc(const uint8_t *p, size_t n) {
    uint64_t sum = 0xFFFFFFFF;
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        sum = _mm_crc32_u64(sum, word);
    }
    for (; n > 0; p++, n--) sum = _mm_crc32_u8((uint32_t)sum, *p);
    return sum;
}
#else
static uint64_t crc(const uint8_t *p, size_t n) {
    uint64_t sum = 0;
    for (; n > 0; p++, n--) sum = sum << 5 ^ sum >> 59 ^ *p;
    return sum;
}
#endif

// Numbers end at a byte without the high bit; sums them so that each is really decoded.
static uint64_t numbers(const uint8_t *p, size_t n, uint64_t *count) {
    uint64_t sum = 0, value = 0;
    int shift = 0;
    for (size_t i = 0; i < n; i++) {
        value |= (uint64_t)(p[i] & 0x7F) << (shift & 63);
        shift += 7;
        if (p[i] < 0x80) sum += value, value = 0, shift = 0, ++*count;
    }
    return sum;
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: scan FILE ROUNDS\n"), 64;
    int fd = open(argv[1], O_RDONLY);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) < 0 || info.st_size == 0) return perror(argv[1]), 2;
    const size_t size = info.st_size, chunk = 65536;
    const uint8_t *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (file == MAP_FAILED) return perror("mmap"), 2;
    uint64_t best = UINT64_MAX, check = 0, count = 0;
    for (int round = 0; round < atoi(argv[2]); round++) {
        uint64_t begin = now();
        count = 0;
        for (size_t at = 0; at < size; at += chunk) {
            size_t n = size - at < chunk ? size - at : chunk;
            check += crc(file + at, n) + numbers(file + at, n, &count);
        }
        uint64_t took = now() - begin;
        if (took < best) best = took;
    }
    printf("bytes %zu numbers %" PRIu64 " check %016" PRIx64 " ns %" PRIu64 "\n", size, count, check, best);
    return 0;
}
