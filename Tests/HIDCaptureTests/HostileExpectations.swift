/// What each hostile file gives: the keys pressed, then damage by offset, or why it is refused.
enum HostileExpectations {
    static let captures: [String: String] = [
        "capture-block-cut.pcapng": "a b return; byte 672: block of 104 bytes: expected all of them, found 94",
        "capture-block-end-lies.pcapng": "a b return; byte 672: block length at its end: expected 104, found 32",
        "capture-block-length-0.pcapng":
            "a b return; byte 672: block length: expected a multiple of 4 from 12 on, found 0",
        "capture-block-length-13.pcapng":
            "a b return; byte 672: block length: expected a multiple of 4 from 12 on, found 13",
        "capture-block-length-above-file.pcapng":
            "a b return; byte 672: block of 4294967292 bytes: expected all of them, found 12",
        "capture-configuration-length-0.pcap": "a b return",
        "capture-configuration-length-1.pcap": "a b return",
        "capture-configuration-total-lies.pcap": "a b return",
        "capture-empty.pcap": "error: byte 0: file: expected a capture or recording of a keyboard, found 0 bytes",
        "capture-gzip-cut.pcap.gz": "a b return; byte 552: packed data: expected all of them, found fewer",
        "capture-receiver-device-0.pcap": "a b return",
        "capture-receiver-reports-short.pcap": "a 01:0083, 1 held",
        "capture-controller-lengths-lie.pcap": "a b return; 1 cut",
        "capture-evtest-fields-missing.txt":
            "a; byte 73: line 2: expected a line of the recording, found something else",
        "capture-evtest-release-lost.txt":
            "leftcontrol leftcontrol a, 2 held; byte 282: line 6: expected a line of the recording, found something "
            + "else",
        "capture-evtest-twice.txt": "leftcontrol c a, 2 held",
        "capture-header-cut.pcap": "error: byte 0: pcap file header: expected one that libpcap reads, found …",
        "capture-header-only.pcap": "no keyboard",
        "capture-interface-block-short.pcapng":
            "a b return; byte 28: interface block: expected 8 bytes, found 4, 0 lost",
        "capture-link-type-ethernet.pcap": "no keyboard",
        "capture-link-type-checksum-bits.pcap": "a b return",
        "capture-link-type-reserved-bits.pcap": "a b return",
        "capture-link-type-unknown.pcap": "no keyboard",
        "capture-modifier-held-from-start.pcapng":
            "rightcontrol a, 2 held; byte 152: block length at its end: expected 104, found 524288",
        "capture-option-length-lies.pcapng": "a b return",
        "capture-packet-before-interface.pcapng":
            "a b return; byte 28: interface of a packet: expected below 0, found 0, 1 lost",
        "capture-packet-block-huge.pcapng":
            "a b return; byte 672: block length: expected at most 4194304, found 2147483644",
        "capture-packet-block-short.pcapng": "a b return; byte 672: packet block: expected 20 bytes, found 8, 1 lost",
        "capture-packet-interface-unknown.pcapng":
            "a b return; byte 672: interface of a packet: expected below 1, found 4294967295, 1 lost",
        "capture-packet-length-lies.pcapng":
            "a b return; byte 672: captured length: expected at most 72, found 4294967295, 1 lost",
        "capture-record-above-snapshot.pcap": "a b return c, 1 held; byte 740: packet 8: …",
        "capture-record-cut.pcap": "a b return; byte 552: packet 7: …",
        "capture-record-header-cut.pcap": "a b return; byte 552: packet 7: …",
        "capture-record-length-huge.pcap": "a b return; byte 552: packet 7: …",
        "capture-report-cut.pcap": "a b return c",
        "capture-report-descriptor-refused.pcap":
            "a b return; bus 1 device 5: report descriptor byte 23: input report: expected at most 16384 "
                + "bytes, found 4294967295 fields of 32 bits after 0 bits",
        "capture-report-descriptor-usages-many.pcap": "a a",
        "capture-report-id-of-none.pcap": "a",
        "capture-section-big-endian-after.pcapng": "a b return",
        "capture-section-cut.pcapng": "no keyboard; byte 0: block header: expected 12 bytes, found 9",
        "capture-section-magic-wrong.pcapng": "no keyboard; byte 0: byte-order magic: expected 1a2b3c4d, found 1020304",
        "capture-section-option-too-long.pcapng": "a b return",
        "capture-section-version-9.pcapng": "no keyboard; byte 0: pcapng version: expected 1.0 or 1.2, found 9.0",
        "capture-simple-packet-length-lies.pcapng":
            "a b return; byte 672: packet length: expected at most 72, found 4294967295, 1 lost",
        "capture-simple-packet-no-interface.pcapng":
            "no keyboard; byte 28: simple packet block: expected 4 bytes and an interface, found 76 "
                + "bytes, 0 interfaces, 1 lost",
        "capture-time-backwards.pcap": "a b return",
        "capture-time-far.pcap": "a b return",
        "capture-time-far.pcapng": "a b return",
        "capture-time-offset-lowest.pcapng": "a b return",
        "capture-time-resolution-127.pcapng": "a b return",
        "capture-time-resolution-2-127.pcapng": "a b return",
        "capture-usbmon-48-bytes-as-220.pcap": "no keyboard; 6 cut",
        "capture-usbmon-data-length-lies.pcap": "a b return",
        "capture-usbmon-data-missing.pcap": "a b return; 1 cut",
        "capture-usbmon-header-cut.pcap": "no keyboard; 6 cut",
        "capture-usbpcap-data-length-lies.pcap": "a b return; 6 cut",
        "capture-usbpcap-data-missing.pcap": "a b return; 1 cut",
        "capture-usbpcap-data-unannounced.pcap": "a b return; 1 cut",
        "capture-usbpcap-header-length-0.pcap": "no keyboard; 3 cut",
        "capture-usbpcap-header-length-26.pcap": "no keyboard; 3 cut",
        "capture-usbpcap-header-length-above-packet.pcap": "no keyboard; 3 cut",
        "capture-version-2-2.pcap":
            "error: byte 4: pcap version: expected 2.3 or later, as tcpdump -r OLD -w NEW writes, found 2.2",
        "capture-version-9.pcap": "error: byte 0: pcap file header: expected one that libpcap reads, found …",
    ]

    static let descriptors: [String: String] = [
        "descriptor-collection-deep.bin": "2 fields; a b leftshift",
        "descriptor-collection-end-extra.bin":
            "report descriptor byte 63: End Collection: expected an open collection, found none",
        "descriptor-collection-open.bin":
            "report descriptor byte 62: End Collection: expected 1 more, found the end of the descriptor",
        "descriptor-count-huge.bin":
            "report descriptor byte 23: input report: expected at most 16384 bytes, found 4294967295 "
                + "fields of 32 bits after 0 bits",
        "descriptor-empty.bin": "0 fields; no report",
        "descriptor-field-size-0.bin": "2 fields; a b leftshift",
        "descriptor-field-size-64.bin": "2 fields; no key",
        "descriptor-item-cut.bin": "report descriptor byte 63: item: expected 4 bytes, found 2",
        "descriptor-item-type-reserved.bin":
            "report descriptor byte 63: item type: expected main, global or local, found the reserved type",
        "descriptor-long-item-at-end.bin": "report descriptor byte 63: long item: expected 257 bytes, found 2",
        "descriptor-long-item-cut.bin": "report descriptor byte 63: long item: expected 2 bytes, found 0",
        "descriptor-long-item.bin": "2 fields; a b leftshift",
        "descriptor-pop-empty.bin": "report descriptor byte 0: pop: expected a push before it, found none",
        "descriptor-push-deep.bin": "report descriptor byte 4: push: expected at most 4 deep, found one more",
        "descriptor-push-open.bin": "2 fields; a b leftshift",
        "descriptor-report-16k.bin": "1 fields; o u w",
        "descriptor-report-id-0.bin": "report descriptor byte 0: report id: expected 1–255, found 0",
        "descriptor-report-id-256.bin": "report descriptor byte 0: report id: expected 1–255, found 256",
        "descriptor-too-long.bin": "report descriptor byte 0: length: expected at most 4096 bytes, found 4159",
        "descriptor-usage-4-bytes.bin": "2 fields; a b leftshift",
        "descriptor-usage-minimum-above-maximum.bin": "1 fields; a b",
        "descriptor-usage-range-full.bin": "1 fields; a b",
        "descriptor-usages-many.bin": "1 fields; a",
    ]
}
