import HIDCapture
import KeyModel
import SystemPackage
import TestRequirements
import Testing

/// Recordings in the folder that KEYFLIGHT_CORPUS names.
@Suite(.needsCorpus) struct CorpusRecordingTests {
    /// The guest saw what usbmon saw, so each recorder has the keys of the capture, in its order.
    @Test(
        "each recorder of one run has the keys of usbmon's capture",
        arguments: ["pangram-xhci", "pangram-ehci", "rollover-xhci", "fasttext-xhci", "burst-xhci"])
    func runs(_ run: String) throws {
        let known = RecordingTests.lines(try CorpusTests.capture("qemu/\(run)/usbmon0.pcap"), withTimes: false)
        #expect(known.count > 40)
        for name in ["evdev-realtime.bin", "evdev-monotonic.bin", "evemu.txt", "libinput.yml", "usbmon-0u.txt"] {
            let capture = try CorpusTests.capture("qemu/\(run)/\(name)")
            #expect(RecordingTests.lines(capture, withTimes: false) == known, "\(run)/\(name)")
            #expect(capture.facts.damage == nil, "\(run)/\(name)")
        }
    }

    static let known: [(file: String, keys: String)] = [
        ("evemu/CHICONY_USB_Keyboard.desc", ""),
        ("evemu/Lenovo_ThinkPad_Compact_USB_Keyboard_with_TrackPoint.keyboard.events", "LeftControl C"),
        ("evemu/Lenovo_ThinkPad_Compact_USB_Keyboard_with_TrackPoint.trackpoint.events", ""),
        ("evemu/Logitech_Unifying_Device._Wireless_PID_400e.desc", ""),
        ("evemu/ROCCAT_Kone_XTD.keyboard.evemu", ""),
        ("evemu/Razer_Razer_BlackWidow_2013.keyboard-multimedia.desc", ""),
        ("evemu/Razer_Razer_BlackWidow_2013.keyboard.desc", ""),
        ("evemu/keychron-c1-win-f1.evemu", "F1 LeftControl C"),
        ("hid-recorder/apple_05ac_8242_remote.hid", ""),
        (
            "hid-recorder/apple_05ac_0256.hid",
            "ReturnOrEnter A S D J A H S D J K H A S D K J H A S D K J H S A D"
        ),
        (
            "hid-recorder/kye_0458_4018_0.hid",
            "07:00c0 07:00c1 07:00c2 07:00c3 07:00c4 07:00c5 07:00c0 07:00c1 07:00c2 07:00c3 07:00c4 07:00c5 "
                + "Application Application"
        ),
        ("hid-recorder/kye_0458_4018_1.hid", "0c:00cd 0c:00b6 0c:00b5 0c:00ea 0c:00e9 0c:00b7 0c:00e2"),
    ]

    @Test("recordings of real keyboards hold the keys that are known of them", arguments: known)
    func texts(_ file: String, _ keys: String) throws {
        var downs: [String] = []
        try CorpusTests.capture(file).forEachBatch { events in
            downs += events.filter { $0.phase == .down }.map { $0.key.usage?.name ?? "" }
        }
        #expect(downs.joined(separator: " ") == keys)
    }

    @Test("two usage ranges in one bitmap field: 115 presses")
    func bitmap() throws {
        let totals = try CorpusTests.capture("hid-recorder/kye_0458_4018_2.hid").forEachBatch { _ in }
        #expect(totals.devices.map(\.presses) == [115])
    }
}
