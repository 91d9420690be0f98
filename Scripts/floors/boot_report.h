// What a decoder of USB captures must do at the least for each packet: check the monitor header, then take the set
// difference of two boot reports. Events of one report come as releases (keys ascending, then modifiers), modifier
// presses ascending, key presses ascending, and are bound in order by a checksum over (usage, phase, time since the
// event before), which keyflight-bench computes from a trace in the same way.
#ifndef KEYFLIGHT_BOOT_REPORT_H
#define KEYFLIGHT_BOOT_REPORT_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    uint64_t packets, reports, downs, ups, checksum, last_time;
    int has_time;
    uint8_t held[8];
} decoder;

static inline uint32_t get32(const uint8_t *p) {
    uint32_t value;
    memcpy(&value, p, sizeof value);
    return value;
}

static inline void bind_event(decoder *d, uint32_t usage, uint32_t is_up, uint64_t time) {
    uint64_t delta = d->has_time ? time - d->last_time : 0;
    d->has_time = 1;
    d->last_time = time;
    d->checksum = (d->checksum ^ (delta << 17 | is_up << 16 | usage)) * UINT64_C(0x9E3779B97F4A7C15);
    d->checksum ^= d->checksum >> 29;
    if (is_up) d->ups++;
    else d->downs++;
}

static inline int has_key(const uint8_t *report, uint8_t key) {
    for (int i = 2; i < 8; i++)
        if (report[i] == key) return 1;
    return 0;
}

// The keys of `a` that `b` does not have, ascending.
static inline int difference(const uint8_t *a, const uint8_t *b, uint8_t *keys) {
    int count = 0;
    for (int i = 2; i < 8; i++) {
        if (a[i] < 4 || has_key(b, a[i])) continue;
        int at = count++;
        for (; at > 0 && keys[at - 1] > a[i]; at--) keys[at] = keys[at - 1];
        keys[at] = a[i];
    }
    return count;
}

static inline void apply_report(decoder *d, const uint8_t *report, uint64_t time) {
    d->reports++;
    uint8_t keys[6], changed = report[0] ^ d->held[0];
    int count = difference(d->held, report, keys);
    for (int i = 0; i < count; i++) bind_event(d, keys[i], 1, time);
    for (uint8_t up = changed & d->held[0]; up; up &= up - 1) bind_event(d, 0xE0 + __builtin_ctz(up), 1, time);
    for (uint8_t down = changed & report[0]; down; down &= down - 1)
        bind_event(d, 0xE0 + __builtin_ctz(down), 0, time);
    count = difference(report, d->held, keys);
    for (int i = 0; i < count; i++) bind_event(d, keys[i], 0, time);
    memcpy(d->held, report, 8);
}

// One packet of link type 189 (48-byte header) or 220 (64 bytes): a completed interrupt IN transfer of 8 bytes.
static inline void apply_usbmon(decoder *d, const uint8_t *p, uint32_t length, uint64_t time, uint32_t header) {
    d->packets++;
    if (length < header || p[8] != 'C' || p[9] != 1 || !(p[10] & 0x80) || p[15] != 0) return;
    if (get32(p + 36) == 8 && length >= header + 8) apply_report(d, p + header, time);
}

static inline void print_decoder(const decoder *d) {
    printf("packets %" PRIu64 " reports %" PRIu64 " events %" PRIu64 " downs %" PRIu64 " checksum %016" PRIx64,
           d->packets, d->reports, d->downs + d->ups, d->downs, d->checksum);
}

#endif
