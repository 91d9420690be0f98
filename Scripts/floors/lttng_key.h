// The tracepoints of lttng_key.c, as LTTng's macros want it: read several times, so that no guard stands around all of it.
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER keyflight_floor
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "lttng_key.h"

#if !defined(KEYFLIGHT_LTTNG_KEY_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define KEYFLIGHT_LTTNG_KEY_H

#include <lttng/tracepoint.h>
#include <stdint.h>

// What the recorder stores of a key event, without the time, which LTTng adds.
LTTNG_UST_TRACEPOINT_EVENT(
    keyflight_floor, key,
    LTTNG_UST_TP_ARGS(uint32_t, usage, uint8_t, phase, uint8_t, device, uint32_t, press),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(uint32_t, usage, usage)
        lttng_ust_field_integer(uint8_t, phase, phase)
        lttng_ust_field_integer(uint8_t, device, device)
        lttng_ust_field_integer(uint32_t, press, press)))

// What a key record of a trace tells whoever reads it: a field for each property of KeyRecord. `key` is a usage, or a class
// of keys with bit 31 set.
LTTNG_UST_TRACEPOINT_EVENT(
    keyflight_floor, record,
    LTTNG_UST_TP_ARGS(
        uint16_t, device, uint32_t, key, uint8_t, phase, uint32_t, modifiers, uint32_t, press, uint8_t, synthetic),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(uint16_t, device, device)
        lttng_ust_field_integer(uint32_t, key, key)
        lttng_ust_field_integer(uint8_t, phase, phase)
        lttng_ust_field_integer(uint32_t, modifiers, modifiers)
        lttng_ust_field_integer(uint32_t, press, press)
        lttng_ust_field_integer(uint8_t, synthetic, synthetic)))

#endif

#include <lttng/tracepoint-event.h>
