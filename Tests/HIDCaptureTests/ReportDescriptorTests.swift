import HIDCapture
import KeyModel
import Testing

struct ReportDescriptorTests {
    /// A boot keyboard's descriptor, logical maximum written as the byte FF.
    static let boot = hex(
        "05010906a101050719e029e71500250175019508810295017508810195057501050819012905910295017503910195067508150025ff"
            + "0507190029ff8100c0")

    static func hex(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8.filter { $0 != 0x20 })
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16) ?? 0
        }
    }

    private static func read(_ descriptor: [UInt8], _ report: [UInt8]) throws -> String {
        let descriptor = try ReportDescriptor(descriptor)
        var keys = PressedKeys()
        guard let read = report.withUnsafeBytes({ descriptor.read($0, into: &keys) }) else { return "none" }
        let names = keys.usages.map { $0.isKeyboardPage ? $0.name : $0.numericName }
        return (["id \(read.id)"] + names + (read.isRollover ? ["rollover"] : [])).joined(separator: " ")
    }

    @Test("arrays and variables of a boot keyboard; the byte FF as a maximum means 255 (HC-23)")
    func bootKeyboard() throws {
        let keys = try Self.read(Self.boot, [0x22, 0, 4, 0x65, 0xE3, 0, 0, 0])
        #expect(keys == "id 0 A Application LeftShift LeftGUI RightShift")
        #expect(try Self.read(Self.boot, [1, 0, 1, 1, 1, 1, 1, 1]) == "id 0 LeftControl rollover")
        #expect(try Self.read(Self.boot, [0, 0, 2, 3, 0, 0, 0, 0]) == "id 0")
    }

    @Test("a short report has the keys that are there (HC-28)")
    func short() throws {
        #expect(try Self.read(Self.boot, [2, 0, 4]) == "id 0 A LeftShift")
        #expect(try Self.read(Self.boot, []) == "none")
    }

    @Test("reports of an interface with ids begin with one; an unknown id says nothing (HC-22)")
    func reportIDs() throws {
        let nkro = Self.hex(
            "05010906a1018502050719e029e7150025017501950881021900296f7501957081"
                + "02c0050c0901a1018503150026ff0319002aff0375109501" + "8100c0")
        #expect(try ReportDescriptor(nkro).usesReportIDs)
        #expect(try Self.read(nkro, [2, 0x08, 0b0011_0000] + Array(repeating: 0, count: 13)) == "id 2 A B LeftGUI")
        #expect(try Self.read(nkro, [3, 0xE9, 0]) == "id 3 0c:00e9")
        #expect(try Self.read(nkro, [3, 0, 0]) == "id 3")
        #expect(try Self.read(nkro, [9, 0xE9, 0]) == "none")
    }

    @Test("several usage ranges in one field follow each other (HC-23)")
    func ranges() throws {
        let two = Self.hex("05010906a1010507" + "19e029e7" + "19002967" + "150025017501957081" + "02c0")
        #expect(try Self.read(two, [0x01, 0x10] + Array(repeating: 0, count: 12)) == "id 0 A LeftControl")
    }

    @Test("the last usage repeats for elements beyond the usages")
    func lastRepeats() throws {
        let one = Self.hex("05010906a10105070904" + "15002501750195088102c0")
        #expect(try Self.read(one, [0x80]) == "id 0 A")
    }

    @Test("fields cross bytes, low bits first")
    func acrossBytes() throws {
        let twelve = Self.hex("05010906a1010507190029ff150026ff00750c9502" + "8100c0")
        #expect(try Self.read(twelve, [0x04, 0x50, 0x00]) == "id 0 A B")
    }

    @Test("push and pop keep the globals (HC-22)")
    func pushAndPop() throws {
        let pushed = Self.hex(
            "05010906a101050719e029e7150025017501950881" + "02a4" + "050c7510" + "b4" + "0904" + "950181" + "02c0")
        #expect(try Self.read(pushed, [0x02, 0x01]) == "id 0 A LeftShift")
    }

    @Test("a four-byte usage carries its own page")
    func ownPage() throws {
        let wide = Self.hex("05010906a101050c0b04000700" + "15002501750195088102c0")
        #expect(try Self.read(wide, [0x01]) == "id 0 A")
    }

    @Test("of alternatives between delimiters the first counts")
    func delimiters() throws {
        let alternatives = Self.hex("05010906a1010507a90109040905a900" + "090615002501750195028102c0")
        #expect(try Self.read(alternatives, [0x03]) == "id 0 A C")
    }

    @Test("wide elements of the consumer page are dials, not keys")
    func dials() throws {
        let dial = Self.hex("050c0901a10109e0" + "150026ff0075089501" + "8102c0")
        #expect(try Self.read(dial, [0x7F]) == "id 0")
    }

    @Test("constant fields are padding, even where keys would be (HC-24)")
    func constant() throws {
        let constant = Self.hex("05010906a101050719e029e71500250175019508" + "8102" + "190029ff75089506" + "8101c0")
        #expect(try Self.read(constant, [1, 4, 5, 6, 0, 0, 0]) == "id 0 LeftControl")
    }

    @Test("every prefix and every flipped byte of a descriptor: refused or read, no trap (HC-37)")
    func damage() {
        var reports: [[UInt8]] = [[], [1], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]
        reports.append(Array(repeating: 0xA5, count: 70))
        func use(_ bytes: [UInt8]) {
            for report in reports { _ = try? Self.read(bytes, report) }
        }
        for length in Self.boot.indices { use(Array(Self.boot.prefix(length))) }
        var flipped = Self.boot
        for at in Self.boot.indices {
            for change in UInt8(1)...255 {
                flipped[at] = Self.boot[at] ^ change
                use(flipped)
            }
            flipped[at] = Self.boot[at]
        }
    }
}
