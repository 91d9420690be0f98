import KeyModel
import Testing

@testable import TraceReports

@Suite struct HumanFormTests {
    @Test(arguments: [
        (0, "0 ns"), (999, "999 ns"), (1000, "1.00 µs"), (9994, "9.99 µs"), (9995, "10.0 µs"), (99_949, "99.9 µs"),
        (99_950, "100 µs"), (999_499, "999 µs"), (999_500, "1.00 ms"), (4_110_000, "4.11 ms"),
        (999_499_999, "999 ms"), (999_500_000, "1.00 s"), (99_949_999_999, "99.9 s"), (99_950_000_000, "1:39 min"),
        (125_000_000_000, "2:05 min"), (3_600_000_000_000, "1:00 h"), (-5, "0 ns"), (Int64.max, "2,562,047:47 h"),
    ])
    func durationsHaveThreeDigits(nanoseconds: Int64, expected: String) {
        #expect(HumanNumbers.duration(TraceDuration(nanoseconds: nanoseconds)) == expected)
    }

    @Test(arguments: [
        (0, "+00:00.000"), (41_206_000_000, "+00:41.206"), (3_723_004_000_000, "+1:02:03.004"), (-1, "+00:00.000"),
    ])
    func timesAreSinceTheStart(nanoseconds: Int64, expected: String) {
        #expect(HumanNumbers.time(TraceTime(nanoseconds: nanoseconds)) == expected)
    }

    @Test(arguments: [
        (0, "1970-01-01 00:00:00 UTC"), (951_782_400_000_000_000, "2000-02-29 00:00:00 UTC"),
        (1_795_255_924_000_000_000, "2026-11-21 10:12:04 UTC"), (-1, "1969-12-31 23:59:59 UTC"),
        (Int64.min, "1677-09-21 00:12:43 UTC"), (Int64.max, "2262-04-11 23:47:16 UTC"),
    ])
    func datesAreOfTheCivilCalendar(nanoseconds: Int64, expected: String) {
        #expect(HumanNumbers.date(unixTime: nanoseconds) == expected)
    }

    @Test func countsAreGroupedAndSharesRounded() {
        #expect(HumanNumbers.count(0) == "0")
        #expect(HumanNumbers.count(999) == "999")
        #expect(HumanNumbers.count(1_234_567) == "1,234,567")
        #expect(HumanNumbers.count(-1000) == "-1,000")
        #expect(HumanNumbers.count(nil as Int?) == "–")
        #expect(HumanNumbers.share(1, of: 3) == "33.3 %")
        #expect(HumanNumbers.share(1, of: 0) == "–")
        #expect(HumanNumbers.ratio(.max, per: 1) != "")
        #expect(HumanNumbers.bytes(999) == "999 B")
        #expect(HumanNumbers.bytes(412_345) == "412.3 KB")
        #expect(HumanNumbers.bytes(.max) == "18,446,744,073.7 GB")
    }

    @Test(arguments: [
        ("abc", 3), ("⌘W", 2), ("⇧⌥⌃⌘", 4), ("⌫⎋⇥⏎←", 5), ("◻ letter", 8), ("日本", 4), ("é", 1), ("e\u{301}", 1),
        ("👩‍👩‍👧", 2), ("🇫🇷", 2), ("⌨\u{FE0F}", 2), ("…", 1), ("", 0), ("한글", 4), ("ｗ", 2),
    ])
    func widthIsWhatATerminalGives(text: String, cells: Int) {
        #expect(DisplayWidth.of(text) == cells)
    }

    @Test func textIsWrappedAtBlanks() {
        #expect(DisplayWidth.wrap("one two three", into: 8) == ["one two", "three"])
        #expect(DisplayWidth.wrap("abcdefghij", into: 4) == ["abcd", "efgh", "ij"])
        #expect(DisplayWidth.wrap("", into: 4) == [""])
        #expect(DisplayWidth.wrap("日本語", into: 4) == ["日本", "語"])
    }

    @Test func columnsStandBelowEachOtherWhateverIsInThem() {
        var table = TextTable([.init(title: "key"), .init(title: "n", alignment: .right), .init(title: "")])
        table.add(["⌘W", "1", "x"])
        table.add(["日本語", "1,000", ""])
        #expect(table.rendered(.plain) == "  key         n\n  ⌘W          1  x\n  日本語  1,000\n")
    }

    @Test func aNarrowTerminalCostsTheLeastImportantFirst() {
        var table = TextTable([
            .init(title: "who", fit: .cut), .init(title: "kind", fit: .drop), .init(title: "why", fit: .wrap),
        ])
        table.add(["responder-one", "UITextField", "because it is the first one that performs it"])
        let text = table.rendered(ReportStyle(width: 40))
        #expect(text.split(separator: "\n").allSatisfy { DisplayWidth.of(String($0)) <= 40 })
        #expect(!text.contains("UITextField"))
        #expect(text.contains("responder-one"))
        #expect(text.contains("performs it"))
    }

    /// Bars, sentences and numbers give before a name does, and a name keeps its end.
    @Test(arguments: [80, 60, 40])
    func namesStayWholeWhileAnythingElseCanGive(_ width: Int) {
        var table = TextTable([
            .init(title: "responder", fit: .cut), .init(title: "kind", fit: .drop),
            .init(title: "calls", alignment: .right), .init(title: "self", alignment: .right),
            .init(title: "total", alignment: .right), .init(title: "what it is", fit: .wrap), .init(title: ""),
        ])
        table.add([
            "documentTabs.selection", "keyboardTableView", "12,345", "1,234.5 ms", "2,345.6 ms",
            "a tab-bar's own list of commands", "██████████",
        ])
        let lines = table.rendered(ReportStyle(width: width)).split(separator: "\n").map(String.init)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(lines)")
        #expect(lines.contains { $0.contains("documentTabs.selection") }, "\(lines)")
        #expect(lines.contains { $0.contains("tab-bar's") }, "\(lines)")
        let narrow = table.rendered(ReportStyle(width: 24))
        #expect(narrow.contains("…") && narrow.contains("ion"))
    }

    /// A part that is more than the whole, by as much as there is.
    @Test func aBarHasTenCellsAtMostAndAShareIsANumber() {
        #expect(HumanNumbers.share(3, of: 2) == "150.0 %")
        #expect(HumanNumbers.share(.max, of: 1) == "100000000000000000.0 %")
        let full = String(repeating: "█", count: 10)
        #expect(StatsReport.bar(1, of: 2) == "█████")
        #expect(StatsReport.bar(3, of: 2) == full)
        #expect(StatsReport.bar(.max, of: 1) == full)
        #expect(StatsReport.bar(1, of: 0) == "")
    }
}
