#!/usr/bin/env python3
"""Writes the damaged and lying Bluetooth, network and kernel recordings (capture-*) of this folder beside itself.

In each the key c is pressed before and after what is wrong. What a reader must make of each stands in
Tests/HIDCaptureTests/HostileExpectations.swift."""
import struct
from pathlib import Path

HERE = Path(__file__).resolve().parent


# ---------------------------------------------------------------- Bluetooth

def acl(payload, channel, handle=42, received=True, announced=None, boundary=None):
    body = struct.pack("<HH", len(payload) if announced is None else announced, channel) + payload
    boundary = (2 if received else 0) if boundary is None else boundary
    return bytes([2]) + struct.pack("<HH", handle | boundary << 12, len(body)) + body


def classic(*keys):
    return acl(b"\xa1\x01\0\0" + bytes(keys).ljust(6, b"\0"), 0x41)


def low_energy(*keys, attribute=0x14):
    return acl(b"\x1b" + struct.pack("<H", attribute) + b"\0\0" + bytes(keys).ljust(6, b"\0"), 4, handle=43)


def att(packet, received):
    return acl(packet, 4, handle=43, received=received)


def btsnoop(packets, link=1002, version=1, tail=b"", drops=0):
    out = b"btsnoop\0" + struct.pack(">II", version, link)
    for number, packet in enumerate(packets):
        received = packet[0] == 4 or len(packet) > 2 and packet[0] == 2 and packet[2] >> 4 & 3 != 0
        stamp = 0x00DCDDB30F2F8000 + 1700000000000000 + number * 1000
        out += struct.pack(">IIIIq", len(packet), len(packet), int(received), drops, stamp) + packet
    return out + tail


def logger(packets, tail=b""):
    out = b""
    for number, packet in enumerate(packets):
        out += struct.pack(">IIIB", len(packet) + 8, 1700000000, number * 1000, 3) + packet[1:]
    return out + tail


C = [classic(6), classic()]
D = [low_energy(6), low_energy()]
HEAD = struct.pack(">IIIIq", 9, 9, 1, 0, 0x00DCDDB30F2F8000)


def sdp(count, elements):
    return acl(struct.pack(">BHHH", 7, 1, len(elements) + 3, count) + elements + b"\0", 0x40)


SDP_CHANNEL = [
    acl(struct.pack("<BBHHH", 2, 1, 4, 1, 0x40), 1, received=False),
    acl(struct.pack("<BBHHHHH", 3, 1, 8, 0x44, 0x40, 0, 0), 1)]
UNIT_CHANNEL = [
    acl(struct.pack("<BBHHHHHH", 0x14, 1, 10, 0x27, 0x40, 64, 64, 1), 5, handle=43, received=False),
    acl(struct.pack("<BBHHHHHH", 0x15, 1, 10, 0x44, 64, 64, 1, 0), 5, handle=43)]
MAP = bytes.fromhex("05010906a101050719e029e71500250175019508810295067508150025650507190029658100c0")
MAP_READ = [
    att(b"\x08\x01\0\xff\xff\x03\x28", False), att(b"\x09\x07\x17\0\x02\x18\0\x4b\x2a", True)]

BLUETOOTH = {
    "btsnoop-version-2.btsnoop": btsnoop(C, version=2),
    "btsnoop-link-unknown.btsnoop": btsnoop(C, link=1004),
    "btsnoop-header-cut.btsnoop": b"btsnoop\0\0\0\0",
    "btsnoop-record-cut.btsnoop": btsnoop(C + C)[:-4],
    "btsnoop-record-length-huge.btsnoop": btsnoop(C, tail=b"\xff" * 24),
    "btsnoop-time-lowest.btsnoop": btsnoop(C, tail=struct.pack(">IIIIq", 1, 1, 1, 0, -2**63) + b"\x04"),
    "packet-logger-length-lies.pklg": logger(C, tail=struct.pack(">IIIB", 0xFFFF, 1700000000, 9, 3)),
    "packet-logger-length-0.pklg": logger(C, tail=bytes(16)),
    "bluetooth-l2cap-length-lies.btsnoop": btsnoop(C + [acl(b"\xa1\x01\0\0\x04", 0x41, announced=0xFFFF)] + C),
    "bluetooth-l2cap-length-short.btsnoop": btsnoop(C + [acl(b"\xa1\x01\0\0\x04", 0x41, announced=1)] + C),
    "bluetooth-continuation-alone.btsnoop": btsnoop(C + [acl(b"\xa1\x01\0\0\x04", 0x41, boundary=1)] + C),
    "bluetooth-acl-length-lies.btsnoop": btsnoop(C + [b"\x02\x2a\x20\xff\xff\xa1"] + C),
    "bluetooth-acl-header-cut.btsnoop": btsnoop(C + [C[0][:4]] + C),
    "bluetooth-acl-empty.btsnoop": btsnoop(C + [b"\x02"] + C + [b"\x02\x2a\x20\0\0"] + C),
    "bluetooth-signalling-length-lies.btsnoop": btsnoop(C + [acl(b"\x02\x01\xff\xff\x13\0", 1)] + C),
    "bluetooth-signalling-channel-0.btsnoop": btsnoop(C + [acl(struct.pack("<BBHHH", 2, 1, 4, 0x13, 0), 1)] + C),
    "bluetooth-parameters-interval-0.btsnoop": btsnoop(
        D + [acl(struct.pack("<BBHHHHH", 0x12, 1, 8, 0, 0, 0, 0), 5, handle=43)] + D),
    "bluetooth-isochronous-length-lies.btsnoop": btsnoop(
        D + [b"\x05\x2b\x20\xff\x3f\0\0\xff\xff", b"\x05", b"\x05\x2b\x50\0\0"] + D),
    "bluetooth-event-length-lies.btsnoop": btsnoop(C + [b"\x04\x05\xff\0", b"\x04\x3e\0", b"\x04\x03\x0b\0"] + C),
    "bluetooth-sdp-length-lies.btsnoop": btsnoop(SDP_CHANNEL + C + [sdp(0xFFFF, b"\x09\x02\x06\x37")] + C),
    "bluetooth-sdp-nested.btsnoop": btsnoop(SDP_CHANNEL + C + [sdp(403, b"\x09\x02\x06" + b"\x35\xff" * 200)] + C),
    "bluetooth-sdp-endless.btsnoop": btsnoop(
        SDP_CHANNEL + C + [acl(struct.pack(">BHHH", 7, 1, 204, 200) + bytes(200) + b"\x01\x01", 0x40)] * 330 + C),
    "bluetooth-attribute-0.btsnoop": btsnoop(D + [low_energy(4, attribute=0), low_energy(attribute=0)] + D),
    "bluetooth-attribute-length-0.btsnoop": btsnoop(
        MAP_READ + D + [att(b"\x08\x01\0\xff\xff\x03\x28", False), att(b"\x09\x00" + bytes(20), True)] + D),
    "bluetooth-map-offset-beyond.btsnoop": btsnoop(
        MAP_READ + [att(b"\x0c\x18\0\xff\xff", False), att(b"\x0d" + MAP, True)] + D),
    "bluetooth-map-too-long.btsnoop": btsnoop(
        MAP_READ + [att(b"\x0a\x18\0", False), att(b"\x0b" + bytes(600), True)] + D),
    "bluetooth-notification-cut.btsnoop": btsnoop(D + [att(b"\x1b\x14", True)] + D),
    "bluetooth-unit-length-lies.btsnoop": btsnoop(
        D + UNIT_CHANNEL + [acl(b"\x09\0\x1b\x14\0\0\0\x04", 0x40, handle=43)] + D),
    "bluetooth-several-length-lies.btsnoop": btsnoop(D + [att(b"\x23\x14\0\xff\xff\0\0\x04", True)] + D),
}


# ---------------------------------------------------------------- kernel recordings

EVEMU = "# EVEMU 1.3\nE: 0.000001 0001 002e 0001\nE: 0.000002 0001 002e 0000\n"
LIBINPUT = ("version: 1\ndevices:\n- node: /dev/input/event0\n  events:\n  - evdev:\n"
            "    - [0, 1, 1, 46, 1]\n    - [0, 2, 1, 46, 0]\n")
HID = "R: %d %s\nE: 0.1 8 00 00 06 00 00 00 00 00\nE: 0.2 8 00 00 00 00 00 00 00 00\n" % (len(MAP), MAP.hex(" "))
HID = HID.replace("8 00 00 06", "8 00 06 00", 1)
TEXT = ("ffff8800 1 C Ii:1:005:1 0:8 8 = 00000600 00000000\nffff8800 2 C Ii:1:005:1 0:8 8 = 00000000 00000000\n")


def event(kind, code, value, micros=0, seconds=1700000000):
    return struct.pack("<qqHHi", seconds, micros, kind, code, value)


EVENTS = event(1, 46, 1) + event(0, 0, 0) + event(1, 46, 0) + event(0, 0, 0)

RECORDINGS = {
    "evemu-numbers-huge.evemu": EVEMU + "E: 99999999999999999999.5 0001 001e 0001\nE: 1.0 ffff ffff 99999999999\n",
    "evemu-time-far.evemu": EVEMU + "E: 9223372035.999999999 0001 001e 0001\n",
    "evemu-fields-missing.evemu": EVEMU + "E: 0.5\nE:\nE: 0.5 0001\n",
    "evemu-line-endless.evemu": EVEMU + "E: " + "1" * 200_000,
    "evemu-codes-all.evemu": EVEMU + "".join("E: 0.1 0001 %04x 0001\n" % code for code in range(0, 0x10000, 257)),
    "libinput-numbers-huge.yml": LIBINPUT + "    - [99999999999, 1, 1, 30, 1]\n    - [0, 1, 1, 30, 99999999999999]\n",
    "libinput-list-open.yml": LIBINPUT + "    - [0, 1, 1, 30, 1\n    - [0, 1, 1,\n    - [\n",
    "libinput-aliases.yml": LIBINPUT + "  - &a [*a, *a, *a]\n  - evdev: *a\n",
    "libinput-devices-many.yml": LIBINPUT + "- node: x\n" * 300 + LIBINPUT[10:],
    "hid-count-lies.hid": HID + "E: 0.3 9999 00 04\nE: 0.3 99999999999999999999 00\n",
    "hid-device-number-huge.hid": HID + "D: 4294967295\nE: 0.3 8 00 00 04 00 00 00 00 00\n",
    "usbmon-text-numbers-huge.txt": TEXT + "ffffffffffffffffffff 1 C Ii:1:005:1 0:8 8 = 00\n"
    + "ffff8800 99999999999999999999 C Ii:1:005:1 0:8 8 = 00\nffff8800 3 C Ii:99999:005:1 0:8 8 = 00\n",
    "usbmon-text-length-lies.txt": TEXT + "ffff8800 3 C Ii:1:005:1 0:8 4294967295 = 00000400 00000000\n",
    "input-events-cut.bin": EVENTS + event(1, 30, 1)[:-7],
    "input-events-time-wrong.bin": EVENTS + event(1, 30, 1, micros=-1) + event(1, 30, 1, seconds=-2**63),
    "input-events-type-unknown.bin": EVENTS + event(0x7FFF, 30, 1) + event(1, 0xFFFF, 1),
}


# ---------------------------------------------------------------- macOS

def pcap(packets, link):
    out = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    for number, packet in enumerate(packets):
        out += struct.pack("<IIII", 1700000000, number * 1000, len(packet), len(packet)) + packet
    return out


KEY = [bytes([0, 0, 6, 0, 0, 0, 0, 0]), bytes(8)]


def darwin(data, header=32, announced=None):
    return struct.pack("<HBBIIIQIBBBB", 0x100, header, 1, len(data) if announced is None else announced, 0, 0, 7, 0,
                       1, 5, 0x81, 3) + data


M = [darwin(KEY[0]), darwin(KEY[1])]

DARWIN = {
    "darwin-header-length-0.pcap": pcap(M + [darwin(KEY[0], header=0)], 266),
    "darwin-header-length-above-packet.pcap": pcap(M + [darwin(KEY[0], header=255)], 266),
    "darwin-data-unannounced.pcap": pcap(M + [darwin(KEY[0], announced=0)], 266),
    "darwin-data-missing.pcap": pcap(M + [darwin(b"", announced=8)], 266),
    "darwin-data-length-lies.pcap": pcap(M + [darwin(KEY[0], announced=0xFFFFFFFF), darwin(KEY[1])], 266),
}


def main():
    for name, data in {**BLUETOOTH, **RECORDINGS, **DARWIN}.items():
        (HERE / f"capture-{name}").write_bytes(data.encode() if isinstance(data, str) else data)


if __name__ == "__main__":
    main()
