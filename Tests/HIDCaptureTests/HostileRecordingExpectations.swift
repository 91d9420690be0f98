/// What the damaged and lying recordings of Traces/hostile give, in the words of `HostileCaptureTests.outcome`.
extension HostileExpectations {
    static let recordings: [String: String] = [
        "capture-bluetooth-acl-empty.btsnoop": "c c c; 1 cut; 1 dropped",
        "capture-bluetooth-acl-header-cut.btsnoop": "c c; 1 cut",
        "capture-bluetooth-acl-length-lies.btsnoop": "c c; 1 cut",
        "capture-bluetooth-attribute-0.btsnoop": "c c",
        "capture-bluetooth-attribute-length-0.btsnoop": "c c",
        "capture-bluetooth-continuation-alone.btsnoop": "c c; 1 dropped",
        "capture-bluetooth-event-length-lies.btsnoop": "c c",
        "capture-bluetooth-isochronous-length-lies.btsnoop": "c c",
        "capture-bluetooth-l2cap-length-lies.btsnoop": "c c; 1 dropped",
        "capture-bluetooth-l2cap-length-short.btsnoop": "c c; 1 dropped",
        "capture-bluetooth-map-offset-beyond.btsnoop": "c",
        "capture-bluetooth-map-too-long.btsnoop": "c",
        "capture-bluetooth-notification-cut.btsnoop": "c c; 1 dropped",
        "capture-bluetooth-parameters-interval-0.btsnoop": "c c",
        "capture-bluetooth-sdp-endless.btsnoop": "c c",
        "capture-bluetooth-sdp-length-lies.btsnoop": "c c",
        "capture-bluetooth-sdp-nested.btsnoop": "c c",
        "capture-bluetooth-several-length-lies.btsnoop": "c c; 1 dropped",
        "capture-bluetooth-signalling-channel-0.btsnoop": "c c",
        "capture-bluetooth-signalling-length-lies.btsnoop": "c c",
        "capture-bluetooth-unit-length-lies.btsnoop": "c c; 1 dropped",
        "capture-bluetooth-unplugged.btsnoop": "c c, 1 held",
        "capture-btsnoop-header-cut.btsnoop": "error: byte 0: btsnoop header: expected 16 bytes, found 11",
        "capture-btsnoop-link-unknown.btsnoop": "no keyboard",
        "capture-btsnoop-record-cut.btsnoop":
            "c c, 1 held; byte 145: packet of 19 bytes: expected all of them, found "
            + "15",
        "capture-btsnoop-record-length-huge.btsnoop":
            "c; byte 102: packet length: expected at most 4194304, found "
            + "4294967295",
        "capture-btsnoop-time-lowest.btsnoop": "c",
        "capture-btsnoop-version-2.btsnoop": "error: byte 8: btsnoop version: expected 1, found 2",
        "capture-darwin-data-length-lies.pcap": "c c; 1 cut",
        "capture-darwin-data-missing.pcap": "c; 1 cut",
        "capture-darwin-data-unannounced.pcap": "c; 1 cut",
        "capture-darwin-header-length-0.pcap": "c; 1 cut",
        "capture-darwin-header-length-above-packet.pcap": "c; 1 cut",
        "capture-evemu-codes-all.evemu": "c key_numeric_2, 1 held",
        "capture-evemu-fields-missing.evemu":
            "c; byte 66: line 4: expected a line of the recording, found something "
            + "else",
        "capture-evemu-line-endless.evemu":
            "c; byte 66: line 4: expected a line of the recording, found one of more than "
            + "131072 bytes",
        "capture-evemu-numbers-huge.evemu":
            "c; byte 66: line 4: expected a line of the recording, found something "
            + "else",
        "capture-evemu-time-far.evemu": "c a, 1 held",
        "capture-hid-count-lies.hid": "c; byte 189: report: expected all of its bytes, found fewer",
        "capture-hid-device-number-huge.hid":
            "c a, 1 held; byte 189: line 4: expected a line of the recording, found "
            + "something else",
        "capture-input-events-cut.bin": "c; byte 96: input event: expected 24 bytes, found 17, 1 lost",
        "capture-input-events-time-wrong.bin":
            "c; byte 96: input event: expected a time, type and code that exist, found 00 f1 "
            + "53 65 00 00 00 00 ff ff ff ff ff ff ff ff 01 00 1e 00 01 00 00 00",
        "capture-input-events-type-unknown.bin":
            "c; byte 96: input event: expected a time, type and code that exist, found 00 f1 "
            + "53 65 00 00 00 00 00 00 00 00 00 00 00 00 ff 7f 1e 00 01 00 00 00",
        "capture-libinput-aliases.yml": "c",
        "capture-libinput-devices-many.yml": "c",
        "capture-libinput-list-open.yml":
            "c a, 1 held; byte 135: line 9: expected a line of the recording, found "
            + "something else",
        "capture-libinput-numbers-huge.yml":
            "c; byte 113: line 8: expected a line of the recording, found something "
            + "else",
        "capture-packet-logger-length-0.pklg":
            "c; byte 62: packet header: expected a length, a time and a type, found 00 00 00 "
            + "00 00 00 00 00 00 00 00 00 00",
        "capture-packet-logger-length-lies.pklg": "c; byte 62: packet of 65526 bytes: expected all of them, found 0",
        "capture-usbmon-text-bulk-lengths-lie.txt": "a; 2 cut",
        "capture-usbmon-text-length-lies.txt": "c; 1 cut",
        "capture-usbmon-text-numbers-huge.txt":
            "c; byte 100: line 3: expected a line of the recording, found something "
            + "else",
    ]
}
