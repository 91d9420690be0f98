#!/usr/bin/env python3
"""Writes the damaged and lying captures (capture-*) and report descriptors (descriptor-*) of this folder beside itself.

Each is a small keyboard capture, or the descriptor of one, with one thing wrong. What a reader must make of each
stands in Tests/HIDCaptureTests/HostileCaptureTests.swift."""
import gzip
import struct
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEYBOARD = bytes.fromhex(
    "05010906a101050719e029e71500250175019508810295017508810195057501050819012905910295017503910195067508150025ff"
    "0507190029ff8100c0")


# ---------------------------------------------------------------- packets

def usbmon(kind, transfer, endpoint, data=b"", status=0, setup=None, urb=0x1000, announced=None, bus=1, device=5):
    announced = len(data) if announced is None else announced
    return struct.pack(
        "<QBBBBHBBqiiII8sIIII", urb, ord(kind), transfer, endpoint, device, bus, 0 if setup else 0x2D, 0, 0, 0, status,
        announced, announced, setup or bytes(8), 8, 0, 0, 0) + data


def report(*keys, modifiers=0, **more):
    return usbmon("C", 1, 0x81, bytes([modifiers, 0, *keys]).ljust(8, b"\0"), **more)


def typed():
    """a, b, Enter: three presses"""
    return [report(4), report(4, 5), report(5), report(), report(0x28), report()]


def answer(kind, value, index, data, urb=0x2000):
    setup = struct.pack("<BBHHH", kind, 6, value, index, len(data))
    return [usbmon("S", 2, 0x80, setup=setup, urb=urb, status=-115), usbmon("C", 2, 0x80, data, urb=urb)]


def configuration(report_length, total=None, interface_length=9):
    tail = struct.pack("<BBBBBBBBB", interface_length, 4, 0, 0, 1, 3, 1, 1, 0)
    tail += struct.pack("<BBHBBBH", 9, 0x21, 0x111, 0, 1, 0x22, report_length)
    tail += struct.pack("<BBBBHB", 7, 5, 0x81, 3, 8, 10)
    return struct.pack("<BBHBBBBB", 9, 2, 9 + len(tail) if total is None else total, 1, 1, 0, 0xA0, 50) + tail


def usbpcap(header=27, data=bytes(8), announced=None):
    announced = len(data) if announced is None else announced
    return struct.pack("<HQIHBHHBBI", header, 7, 0, 9, 1, 1, 5, 0x81, 1, announced) + data


def paired(device, kind, *keys):
    return usbmon("C", 1, 0x83, bytes([0x20, device, kind, *keys]).ljust(15, b"\0"))


# ---------------------------------------------------------------- containers

def pcap(packets, link=220, snapshot=65535, times=None, tail=b""):
    out = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, snapshot, link)
    for number, packet in enumerate(packets):
        seconds, micros = times[number] if times else (1700000000, number * 1000)
        out += struct.pack("<IIII", seconds, micros, len(packet), len(packet)) + packet
    return out + tail


def block(kind, body, length=None, end=None, order="<"):
    body = body + bytes(-len(body) % 4)
    real = len(body) + 12
    length = real if length is None else length
    return struct.pack(order + "II", kind, length) + body + struct.pack(order + "I", length if end is None else end)


def section(order="<", magic=0x1A2B3C4D, major=1, options=b""):
    return block(0x0A0D0D0A, struct.pack(order + "IHHq", magic, major, 0, -1) + options, order=order)


def interface(options=b"", link=220):
    return block(1, struct.pack("<HHI", link, 0, 0) + options)


def option(code, data, length=None):
    return struct.pack("<HH", code, len(data) if length is None else length) + data + bytes(-len(data) % 4)


def enhanced(packet, stamp, number=0, captured=None, **more):
    captured = len(packet) if captured is None else captured
    body = struct.pack("<IIIII", number, stamp >> 32, stamp & 0xFFFFFFFF, captured, captured) + packet
    return block(6, body, **more)


def ng(packets=None, options=b"", first=1700000000000000, step=1000, head=None):
    packets = typed() if packets is None else packets
    return (section() if head is None else head) + interface(options) + b"".join(enhanced(p, first + i * step) for i, p in enumerate(packets))


def described(descriptor, config=None):
    return answer(0x80, 0x200, 0, configuration(len(descriptor)) if config is None else config) + answer(
        0x81, 0x2200, 0, descriptor) + typed()


# ---------------------------------------------------------------- descriptors

def item(prefix, value, size):
    return bytes([prefix | {0: 0, 1: 1, 2: 2, 4: 3}[size]]) + value.to_bytes(size, "little")


KEYS = bytes.fromhex("05010906a10105071900")  # a keyboard collection, usage minimum 0
DESCRIPTORS = {
    "empty": b"",
    "usage-range-full": KEYS + item(0x28, 0xFFFFFFFF, 4) + bytes.fromhex("150025ff750895068100c0"),
    "count-huge": KEYS + bytes.fromhex("29ff1500250175") + b"\x20" + item(0x94, 0xFFFFFFFF, 4) + b"\x81\x02\xc0",
    "usages-many": KEYS[:6] + b"\x05\x07" + bytes.fromhex("0904") * 1990 + bytes.fromhex("750196ffff8102c0"),
    "report-16k": KEYS + bytes.fromhex("29ff15002501750196ffff8102 96ffff8102c0"),
    "push-deep": b"\xa4" * 5 + KEYBOARD,
    "push-open": b"\xa4" + KEYBOARD,
    "pop-empty": b"\xb4" + KEYBOARD,
    "collection-end-extra": KEYBOARD + b"\xc0",
    "collection-open": KEYBOARD[:-1],
    "collection-deep": bytes.fromhex("a101") * 1000 + KEYBOARD + b"\xc0" * 1000,
    "usage-minimum-above-maximum": KEYBOARD[:8] + bytes.fromhex("19e729e0") + KEYBOARD[12:],
    "report-id-0": bytes.fromhex("8500") + KEYBOARD,
    "report-id-256": item(0x84, 256, 2) + KEYBOARD,
    "usage-4-bytes": KEYBOARD[:-9] + item(0x18, 0x00070000, 4) + item(0x28, 0x000700FF, 4) + b"\x81\x00\xc0",
    "long-item": bytes.fromhex("fe0310010203") + KEYBOARD,
    "long-item-at-end": KEYBOARD + bytes.fromhex("feff10"),
    "long-item-cut": KEYBOARD + b"\xfe",
    "item-cut": KEYBOARD + b"\x27\x01\x02",
    "item-type-reserved": KEYBOARD + b"\x0c",
    "field-size-0": KEYBOARD[:6] + bytes.fromhex("050719e029e7750095ff8102") + KEYBOARD[6:],
    "field-size-64": KEYBOARD[:6] + bytes.fromhex("050719e029e7754095018102") + KEYBOARD[6:],
    "too-long": KEYBOARD + b"\x05\x07" * 2048,
}

IDENTIFIED = KEYBOARD[:6] + b"\x85\x01" + KEYBOARD[6:]
LIE = bytearray(report(4))
LIE[36:40] = b"\xff\xff\xff\xff"
EVTEST = b"Input driver version is 1.0.1\nTesting ... (interrupt to exit)\n"


def evtest(code, usage, value, micros):
    head = b"Event: time 1700000000.%06d, " % micros
    return head + b"type 4 (EV_MSC), code 4 (MSC_SCAN), value 700%02x\n" % usage + head + (
        b"type 1 (EV_KEY), code %d (KEY), value %d\n" % (code, value)) + head + b"-------------- SYN_REPORT ------------\n"


CAPTURES = {
    "empty.pcap": b"",
    "header-cut.pcap": pcap([])[:10],
    "header-only.pcap": pcap([]),
    "version-2-2.pcap": pcap(typed())[:6] + b"\x02\0" + pcap(typed())[8:],
    "version-9.pcap": pcap(typed())[:4] + b"\x09\0\x09\0" + pcap(typed())[8:],
    "link-type-ethernet.pcap": pcap(typed(), link=1),
    "link-type-unknown.pcap": pcap(typed(), link=147),
    "link-type-checksum-bits.pcap": pcap(typed(), link=0x14000000 | 220),
    "link-type-reserved-bits.pcap": pcap(typed(), link=0x00010000 | 220),
    "record-cut.pcap": pcap(typed() + [report(6)])[:-3],
    "record-header-cut.pcap": pcap(typed(), tail=b"\1\2\3\4\5"),
    "record-length-huge.pcap": pcap(typed(), tail=struct.pack("<IIII", 1700000001, 0, 0xFFFFFFFF, 0xFFFFFFFF)),
    "record-above-snapshot.pcap": pcap(typed() + [report(6) + bytes(100), report()], snapshot=72)[:-3],
    "usbmon-data-length-lies.pcap": pcap([bytes(LIE)] + typed()[1:]),
    "usbmon-data-missing.pcap": pcap(typed() + [report(6)[:64]]),
    "usbmon-header-cut.pcap": pcap([p[:20] for p in typed()]),
    "usbmon-48-bytes-as-220.pcap": pcap([p[:48] + p[64:] for p in typed()]),
    "usbpcap-header-length-0.pcap": pcap([usbpcap(header=0, data=bytes([0, 0, 4, 0, 0, 0, 0, 0]))] * 3, link=249),
    "usbpcap-header-length-26.pcap": pcap([usbpcap(header=26, data=bytes([0, 0, 4, 0, 0, 0, 0, 0]))] * 3, link=249),
    "usbpcap-header-length-above-packet.pcap": pcap([usbpcap(header=60000)] * 3, link=249),
    "usbpcap-data-unannounced.pcap": pcap(
        [usbpcap(data=p[64:]) for p in typed()] + [usbpcap(data=bytes([0, 0, 6, 0, 0, 0, 0, 0]), announced=0)], link=249),
    "usbpcap-data-missing.pcap": pcap(
        [usbpcap(data=p[64:]) for p in typed()] + [usbpcap(data=b"", announced=8)], link=249),
    "usbpcap-data-length-lies.pcap": pcap(
        [usbpcap(data=p[64:], announced=0xFFFFFFFF) for p in typed()], link=249),
    "configuration-length-0.pcap": pcap(described(KEYBOARD, configuration(len(KEYBOARD), interface_length=0))),
    "configuration-length-1.pcap": pcap(described(KEYBOARD, configuration(len(KEYBOARD), interface_length=1))),
    "configuration-total-lies.pcap": pcap(described(KEYBOARD, configuration(len(KEYBOARD), total=0xFFFF))),
    "report-descriptor-refused.pcap": pcap(described(DESCRIPTORS["count-huge"])),
    "report-cut.pcap": pcap(described(KEYBOARD) + [usbmon("C", 1, 0x81, bytes([0, 0, 6])[:n]) for n in (3, 2, 1, 0)]),
    "report-id-of-none.pcap": pcap(described(IDENTIFIED)[:-6] + [
        usbmon("C", 1, 0x81, bytes([number, 0, 0, key, 0, 0, 0, 0, 0])) for number, key in
        ((1, 4), (1, 0), (255, 5), (255, 0), (0, 6), (0, 0))]),
    "report-descriptor-usages-many.pcap": pcap(described(DESCRIPTORS["usages-many"])),
    "time-backwards.pcap": pcap(typed(), times=[(1700000000 - 10 * i, 0) for i in range(6)]),
    "time-far.pcap": pcap(typed(), times=[(i * 0x30000000, 0xFFFFFFFF) for i in range(6)]),
    "time-far.pcapng": section() + interface(option(9, b"\x00")) + b"".join(
        enhanced(p, (i << 60) + i) for i, p in enumerate(typed())),
    "time-resolution-127.pcapng": ng(options=option(9, b"\x7f")),
    "time-resolution-2-127.pcapng": ng(options=option(9, b"\xff")),
    "time-offset-lowest.pcapng": ng(options=option(14, struct.pack("<q", -2**63))),
    "option-length-lies.pcapng": ng(options=option(9, b"\x06", length=0xFFFF)),
    "section-magic-wrong.pcapng": section(magic=0x01020304) + interface(),
    "section-cut.pcapng": section()[:9],
    "section-version-9.pcapng": ng(head=section(major=9)),
    "section-option-too-long.pcapng": ng(head=section(options=option(4, b"tool", length=0xFFF0))),
    "section-big-endian-after.pcapng": ng() + section(">") + struct.pack(">III", 0x99, 12, 12),
    "block-length-0.pcapng": ng() + struct.pack("<III", 6, 0, 0) + bytes(40),
    "block-length-13.pcapng": ng() + struct.pack("<III", 0x99, 13, 0) + bytes(40),
    "block-length-above-file.pcapng": ng() + struct.pack("<III", 0x99, 0xFFFFFFFC, 0),
    "packet-block-huge.pcapng": ng() + struct.pack("<III", 6, 0x7FFFFFFC, 0),
    "block-end-lies.pcapng": ng() + enhanced(report(6), 1700000000009000, end=32),
    "block-cut.pcapng": (ng() + enhanced(report(6), 1700000000009000))[:-10],
    "packet-before-interface.pcapng": section() + enhanced(report(6), 0) + interface() + b"".join(
        enhanced(p, 1700000000000000 + i * 1000) for i, p in enumerate(typed())),
    "packet-interface-unknown.pcapng": ng() + enhanced(report(6), 0, number=0xFFFFFFFF),
    "packet-length-lies.pcapng": ng() + enhanced(report(6), 1700000000009000, captured=0xFFFFFFFF),
    "packet-block-short.pcapng": ng() + block(6, bytes(8)),
    "simple-packet-no-interface.pcapng": section() + block(3, struct.pack("<I", 72) + report(4)),
    "simple-packet-length-lies.pcapng": ng() + block(3, struct.pack("<I", 0xFFFFFFFF) + report(6)),
    "gzip-cut.pcap.gz": gzip.compress(pcap(typed()), mtime=0)[:-6],
    "receiver-device-0.pcap": pcap(typed() + [paired(0, 1, 0, 6), paired(8, 1, 0, 6), paired(0xFF, 1, 0, 6)]),
    "receiver-reports-short.pcap": pcap(
        answer(0x80, 0x100, 0, bytes.fromhex("12010002000000086d0447c5000001020301"))
        + [usbmon("C", 1, 0x81, bytes.fromhex(r)) for r in [
            "0100" "01" + "00" * 14, "03", "04", "02", "03ffffffff", "04ff", "01" + "00" * 16]]),
    "usbmon-text-bulk-lengths-lie.txt": b"".join(b"ffff8800 %d000 %s\n" % (i, line) for i, line in enumerate([
        b"S Co:1:009:0 s 20 00 0000 0000 0003 3 = 030c00", b"C Bi:1:009:2 0 12 = 2a20ffff 08004100 a1010000",
        b"C Bi:1:009:2 0 40 = 2a202400 20004100", b"C Bi:1:009:2 0 0", b"S Bo:1:009:2 -115 999999 = 2a", b"C Bi:1:009:2",
        b"C Bi:1:009:2 0 2 = 2a20", b"S Co:1:009:0 s 20", b"C Ii:1:005:1 0:8 8 = 00000400 00000000",
        b"C Ii:1:005:1 0:8 8 = 00000000 00000000"])),
    "controller-lengths-lie.pcap": pcap(typed() + [
        usbmon("S", 2, 0, b"\x03\x0c\0", setup=bytes.fromhex("2000000000000300"), device=9),
        usbmon("C", 1, 0x81, b"\x05\xff" + bytes(14), device=9), usbmon("C", 1, 0x81, b"\x0e\0", device=9),
        usbmon("C", 3, 0x82, b"\x2a\x20\xff\xff" + bytes(12), device=9), usbmon("C", 3, 0x82, b"\x2a", device=9)]),
    "evtest-fields-missing.txt": b"".join(b"Event: time " + line + b"\n" for line in [
        b"1700000000.000100, type 1 (EV_KEY), code 30 (KEY_A), value 1", b"", b"9, type", b"9, type 1, code", b"x, type 1",
        b"99999999999999999999, type 1 (EV_KEY), code 30 (KEY_A), value 0", b"9, type 99999, code 99999, value -1",
        b"1700000000.000200, type 1 (EV_KEY), code 30 (KEY_A), value 0"]),
    "evtest-twice.txt": b"".join(EVTEST + b"".join(evtest(*e) for e in events) for events in [
        [(29, 0xe0, 1, 1), (46, 6, 1, 2)], [(30, 4, 1, 9), (30, 4, 0, 10)]]),
    "evtest-release-lost.txt": EVTEST + evtest(29, 0xe0, 1, 1)
    + b"Event: time 1700000000.000002, type 1 (EV_KEY), code 29 \n" + evtest(30, 4, 1, 3) + evtest(30, 4, 0, 4),
    "interface-block-short.pcapng": section() + block(1, b"\xdc\0\0\0") + interface() + b"".join(
        enhanced(p, 1700000000000000 + i * 1000) for i, p in enumerate(typed())),
}


def main():
    for name, data in CAPTURES.items():
        (HERE / f"capture-{name}").write_bytes(data)
    for name, data in DESCRIPTORS.items():
        (HERE / f"descriptor-{name}.bin").write_bytes(data)


if __name__ == "__main__":
    main()
