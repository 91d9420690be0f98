/// Files of keys that are not read: what they are, what they lack, and what to record in their place.
package enum ForeignInput {
    /// By their first bytes: what they are, and what makes a capture of them.
    private static let packed: [(magic: [UInt8], name: String, tool: String)] = [
        (PackedCapture.magic, "a gzip file", "gzip -d"), ([0xFF, 0xFE], "text in UTF-16", "iconv -f UTF-16 -t UTF-8"),
        ([0xFE, 0xFF], "text in UTF-16", "iconv -f UTF-16 -t UTF-8"),
        ([0x50, 0x4B, 3, 4], "a zip archive", "unzip"), ([0x28, 0xB5, 0x2F, 0xFD], "a zstd file", "zstd -d"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz file", "xz -d"), ([0x42, 0x5A, 0x68], "a bzip2 file", "bzip2 -d"),
        ([0x37, 0x7A, 0xBC, 0xAF], "a 7z archive", "7z x"), ([0x52, 0x61, 0x72, 0x21], "a RAR archive", "unrar x"),
    ]

    private static let evdev = "record with evtest, or libinput record --show-keycodes -o FILE"
    private static let keyd = "what keyd monitor prints, which has times of ms or none; \(evdev)"
    private static let packets = "keep the packets themselves: tshark -w FILE"

    /// Of texts, their content, each mark behind a bar.
    private static let texts: [(marks: String, words: String)] = [
        (
            "Bluetooth monitor ver|> ACL Data RX|> HCI Event:|< HCI Command:|< ACL Data TX",
            "what btmon prints, which has reports cut; record with btmon -w FILE"
        ),
        (
            "KEYBOARD_KEY|DEVICE_ADDED",
            "what libinput debug-events prints, which has times of milliseconds and hides keys; "
                + "record with libinput record --show-keycodes -o FILE"
        ),
        (
            ": EV_|EV_KEY       KEY_|EV_SYN       SYN_|: 0004 0004 |: 0001 0|add device 1: /dev/input/",
            "what getevent prints, which need not have times; record with adb exec-out cat /dev/input/eventN > FILE"
        ),
        ("KeyPress event, serial|KeyRelease event, serial", "what xev prints, which a window got, in ms; \(evdev)"),
        ("key press   |key release |(KeyPress)|(RawKeyPress)", "what xinput prints, which lacks times; \(evdev)"),
        ("wl_keyboard] key: ", "what wev prints, which a window got, in ms; \(evdev)"),
        ("keyd virtual keyboard|device added: ", keyd),
        (":STREAM   ", "what usbhid-dump prints; record with hid-recorder > FILE"),
        (
            "glfw key: |xkb_keycode: ",
            "what kitty --debug-input prints, which a terminal got, without times; \(evdev)"
        ),
        (
            "kb mode was |press any key (program terminates|Press any keys - Ctrl-D|keycode  ",
            "what showkey prints, without times; \(evdev)"
        ),
        (
            #""_index":|"layers":| bytes on wire (|<pdml |Leftover Capture Data:|URB_INTERRUPT in"#,
            "packets as tshark prints them; \(packets)"
        ),
        (
            #"{"version": 2,|{"version":2,|{"version":3,|{"width":|"stdout": ["#,
            "a terminal session (asciicast); \(evdev)"
        ),
    ]

    /// `nil` for what is none of these. A few lines are enough.
    package static func words(_ head: [UInt8]) -> String? {
        if let found = packed.first(where: { head.starts(with: $0.magic) }) {
            return "\(found.name), which is not read as it is; use \(found.tool) first"
        }
        let text = String(decoding: head.prefix(4096), as: UTF8.self)
        if let found = texts.first(where: { $0.marks.split(separator: "|").contains(where: text.contains) }) {
            return found.words
        }
        let lines = firstLines(head).prefix(16)
        // A device, its ids, a key and what it did.
        let isKeyd = lines.contains { line in
            let fields = line.split(separator: 0x09)
            let state = line.split { $0 == 0x20 || $0 == 0x0D }.last ?? []
            return fields.count > 2 && fields[fields.count - 2].contains(0x3A)
                && (state.elementsEqual("up".utf8) || state.elementsEqual("down".utf8))
        }
        if isKeyd { return keyd }
        // Reports, alone or behind other fields, such as tshark's usb.capdata: eight bytes or more in hexadecimal.
        let isData = lines.count > 1 && lines.allSatisfy { line in
            let last = line.split { $0 == 0x09 || $0 == 0x20 || $0 == 0x2C || $0 == 0x0D }.last ?? []
            let digits = last.filter { $0 != 0x3A && $0 != 0x22 }
            return digits.count >= 16 && digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        }
        return isData ? "reports as tshark prints them, which lack devices and exact times; \(packets)" : nil
    }
}
