import Libc

/// Files of keys that are not read: what they are, what they lack, and what to record in their place.
package enum ForeignInput {
    /// By their first bytes: what they are, and what makes a capture of them.
    private static let packed: [(magic: [UInt8], name: String, tool: String)] = [
        (PackedCapture.magic, "a gzip file", "gzip -d"), ([0xFF, 0xFE], "text in UTF-16", "iconv -f UTF-16 -t UTF-8"),
        ([0xFE, 0xFF], "text in UTF-16", "iconv -f UTF-16 -t UTF-8"),
        ([0x50, 0x4B, 3, 4], "a zip archive", "unzip"), ([0x28, 0xB5, 0x2F, 0xFD], "a zstd file", "zstd -d"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz file", "xz -d"), ([0x42, 0x5A, 0x68], "a bzip2 file", "bzip2 -d"),
        ([0x50, 0x4B, 5, 6], "a zip archive", "unzip"), ([4, 0x22, 0x4D, 0x18], "an lz4 file", "lz4 -d"),
        ([0x1F, 0x9D], "a compress file", "uncompress"),
        ([0x37, 0x7A, 0xBC, 0xAF], "a 7z archive", "7z x"), ([0x52, 0x61, 0x72, 0x21], "a RAR archive", "unrar x"),
    ]

    private static let evdev = "record with evtest, or libinput record --show-keycodes -o FILE"
    private static let keyd = "what keyd monitor prints, which has times of ms or none; \(evdev)"
    private static let packets = "keep the packets themselves: tshark -w FILE"

    /// Of texts, their content, each mark behind a bar.
    private static let texts: [(marks: String, words: String)] = [
        (
            "Bluetooth monitor ver|> ACL Data RX|> HCI Event:|< HCI Command:|< ACL Data TX|HCI sniffer - |> ACL data: ",
            "what btmon and hcidump print, which has reports cut; record with btmon -w FILE"
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
        (":STREAM   |:DESCRIPTOR   ", "what usbhid-dump prints; record with hid-recorder > FILE"),
        (
            "glfw key: |xkb_keycode: ",
            "what kitty --debug-input prints, which a terminal got, without times; \(evdev)"
        ),
        (
            "kb mode was |press any key (program terminates|Press any keys - Ctrl-D|keycode  ",
            "what showkey prints, without times; \(evdev)"
        ),
        (
            #""_index":|"layers":| bytes on wire (|<pdml |<psml |Leftover Capture Data:|URB_INTERRUPT in|"#
                + "INTERRUPT COMPLETE FROM",
            "packets as tshark and tcpdump print them; \(packets)"
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
        if head.dropFirst(257).starts(with: Array("ustar".utf8)) {
            return "a tar archive, which is not read as it is; use tar -x first"
        }
        let text = head.prefix(4096)
        if let found = texts.first(where: { $0.marks.split(separator: "|").contains(where: text.holds) }) {
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
        // Reports, alone, behind other fields such as tshark's, or before their characters as hexdump has them: seven
        // bytes or more in hexadecimal. The first line may be a heading, the last one an offset.
        let isData = lines.contains(where: isBytes)
            && lines.dropFirst().dropLast().allSatisfy { $0.elementsEqual("*".utf8) || isBytes($0) }
        guard isData else { return nil }
        return "reports as text, which lack devices and exact times; \(packets), or record with hid-recorder > FILE"
    }

    private static func isBytes(_ line: ArraySlice<UInt8>) -> Bool {
        let separators = Array("\t ,:[]\"\r".utf8)
        var fields = line.prefix { $0 != 0x7C }.split(whereSeparator: separators.contains)
        func digits(_ field: ArraySlice<UInt8>) -> Int {
            let digits = field.starts(with: Array("0x".utf8)) ? field.dropFirst(2) : field
            let areAll = digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
            return areAll && digits.count % 2 == 0 ? digits.count : 0
        }
        if fields.count > 2, digits(fields[fields.count - 1]) == 0 { fields.removeLast() }
        // The first one may be a time or an offset, but no step of a key script.
        guard let first = fields.first, digits(first) > 0 || first.contains(where: { (0x30...0x39).contains($0) })
        else { return false }
        return fields.reversed().prefix { digits($0) > 0 }.reduce(0) { $0 + digits($1) } >= 14
    }
}

extension ArraySlice<UInt8> {
    /// True where the bytes of `mark` are among these. `String.contains` compares characters, which takes far longer.
    func holds(_ mark: Substring) -> Bool {
        var mark = mark
        return withUnsafeBytes { own in
            mark.withUTF8 { mark in
                guard let wanted = mark.baseAddress, let first = own.baseAddress else { return mark.isEmpty }
                var place = 0
                while place + mark.count <= own.count,
                    let found = memchr(first + place, CInt(wanted.pointee), own.count - mark.count + 1 - place)
                {
                    if memcmp(found, wanted, mark.count) == 0 { return true }
                    place = UnsafeRawPointer(found) - first + 1
                }
                return false
            }
        }
    }
}
