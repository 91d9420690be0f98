import HIDCapture
import KeyModel
import Testing

/// The cases that stand above `ReportChanges`, one test each.
struct ReportChangesTests {
    private var held = ReportChanges()

    private static func keys(_ usages: [UInt16]) -> PressedKeys {
        var keys = PressedKeys()
        for usage in usages { keys.insert(.keyboard(usage)) }
        return keys
    }

    /// Applies a report and returns what changed, such as `+A -LeftShift`.
    private mutating func report(_ usages: UInt16..., rollover: Bool = false) -> String {
        var changes: [String] = []
        held.apply(ReportChangesTests.keys(usages), isRollover: rollover) { usage, phase in
            changes.append((phase == .down ? "+" : "-") + usage.name)
        }
        return changes.joined(separator: " ")
    }

    private mutating func end() -> String {
        var changes: [String] = []
        held.releaseAll { usage, phase in changes.append((phase == .down ? "+" : "-") + usage.name) }
        return changes.joined(separator: " ")
    }

    private static let (a, b, c): (UInt16, UInt16, UInt16) = (0x04, 0x05, 0x06)
    private static let (leftControl, leftShift, rightShift): (UInt16, UInt16, UInt16) = (0xE0, 0xE1, 0xE5)

    @Test("case 1: a key that stays in the report neither repeats nor is released (HC-30)")
    mutating func setDifference() {
        #expect(report(Self.a) == "+A")
        #expect(report(Self.a, Self.b) == "+B")
        #expect(report(Self.b) == "-A")
        #expect(report() == "-B")
    }

    @Test("case 2: releases before presses, modifiers last to go and first to come, each ascending (HC-30)")
    mutating func order() {
        #expect(report(Self.b, Self.a, Self.leftShift, Self.leftControl) == "+LeftControl +LeftShift +A +B")
        #expect(
            report(Self.c, Self.rightShift) == "-A -B -LeftControl -LeftShift +RightShift +C")
    }

    @Test("case 2 across pages: keys of other pages take their place in the order of raw values")
    mutating func orderAcrossPages() {
        var report = ReportChangesTests.keys([Self.b, Self.leftShift])
        report.insert(KeyUsage(page: 0x0C, usage: 0xE9))
        report.insert(KeyUsage(page: 0x01, usage: 0x81))
        var changes: [String] = []
        held.apply(report, isRollover: false) { usage, phase in changes.append("\(phase.name) \(usage.numericName)") }
        held.releaseAll { usage, phase in changes.append("\(phase.name) \(usage.numericName)") }
        #expect(
            changes == [
                "down 07:00e1", "down 01:0081", "down 07:0005", "down 0c:00e9",
                "up 01:0081", "up 07:0005", "up 0c:00e9", "up 07:00e1",
            ])
    }

    @Test("case 3: left and right modifiers are keys of their own (spec EV-17)")
    mutating func sides() {
        #expect(report(Self.leftShift, Self.rightShift) == "+LeftShift +RightShift")
        #expect(report(Self.rightShift) == "-LeftShift")
        #expect(report() == "-RightShift")
    }

    @Test("case 4: a key in two slots, or in another slot, is one key")
    mutating func slots() {
        #expect(report(Self.a, Self.a) == "+A")
        #expect(report(Self.b, Self.a) == "+B")
        #expect(report(Self.a, Self.b) == "")
    }

    @Test("case 5: rollover keeps the keys and applies the modifiers (HC-27)")
    mutating func rollover() {
        #expect(report(Self.a, Self.leftShift) == "+LeftShift +A")
        #expect(report(Self.leftControl, rollover: true) == "-LeftShift +LeftControl")
        #expect(held.keys.contains(.keyboard(Self.a)))
    }

    @Test("case 6: rollover as the first report presses its modifiers only")
    mutating func rolloverFirst() {
        #expect(report(Self.leftShift, rollover: true) == "+LeftShift")
    }

    @Test("case 7: after rollover the next report is compared with the keys from before it")
    mutating func afterRollover() {
        #expect(report(Self.a, Self.b) == "+A +B")
        #expect(report(rollover: true) == "")
        #expect(report(Self.b, Self.c) == "-A +C")
    }

    @Test("case 8: the same report again changes nothing")
    mutating func same() {
        #expect(report(Self.a, Self.leftShift) == "+LeftShift +A")
        #expect(report(Self.a, Self.leftShift) == "")
    }

    @Test("cases 9 to 11: the end releases what is down, and a report after it starts from nothing")
    mutating func ends() {
        #expect(end() == "")
        #expect(report(Self.b, Self.a, Self.leftShift) == "+LeftShift +A +B")
        #expect(end() == "-A -B -LeftShift")
        #expect(end() == "")
        #expect(report(Self.a) == "+A")
    }
}
