import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit

/// Ten thousand characters typed into a document of a mebibyte, and into an empty one: what a key moves and looks at,
/// for the first thousand keys and for the last.
enum TextWorkload {
    private enum Place: String, CaseIterable { case beginning, middle, end }

    private static let keys = 10_000
    private static let counted = 1_000
    private static let line = "The quick brown fox jumps over the lazy dog, twice a day.\n"
    private static let mixedLine = "Zwölf Boxkämpfer 👩‍👩‍👧 jagen e\u{301}in 日本語 שלום, naïve.\n"

    static func cases() throws -> [BenchCase] {
        let mebibyte = String(repeating: line, count: (1 << 20) / line.utf8.count)
        let mixed = String(repeating: mixedLine, count: (1 << 20) / mixedLine.utf8.count)
        var cases = [try typing("an empty document", "", .end)]
        for place in Place.allCases { cases.append(try typing("the \(place.rawValue) of 1 MiB", mebibyte, place)) }
        cases.append(try typing("the middle of 1 MiB of many scripts", mixed, .middle))
        cases.append(try arrows(mebibyte))
        return cases
    }

    /// The work done since the last look.
    private struct Work {
        var bytesMoved = 0
        var charactersScanned = 0
        var nodesVisited = 0

        init(_ work: TextWork) {
            bytesMoved = work.bytesMoved
            charactersScanned = work.charactersScanned
            nodesVisited = work.nodesVisited
        }

        func counters(since earlier: Work, _ span: String) -> [ExactCounter] {
            [
                ExactCounter("bytes moved, \(span)", bytesMoved - earlier.bytesMoved, per: counted),
                ExactCounter(
                    "characters scanned, \(span)", charactersScanned - earlier.charactersScanned, per: counted),
                ExactCounter("nodes visited, \(span)", nodesVisited - earlier.nodesVisited, per: counted),
            ]
        }
    }

    private static func typing(_ name: String, _ text: String, _ place: Place) throws -> BenchCase {
        let editor = try Typist(text)
        func begin() {
            editor.begin(text, at: place == .beginning ? 0 : place == .middle ? editor.view.documentLength / 2 : nil)
        }
        return try row("type at \(name)", editor, from: begin) { try editor.type($0) }
    }

    /// Down through a whole document.
    private static func arrows(_ text: String) throws -> BenchCase {
        let editor = try Typist(text)
        return try row("down arrows through 1 MiB", editor, from: { editor.begin(text, at: 0) }) { times in
            try editor.press(.downArrow, times: times)
        }
    }

    /// Ten thousand presses, of which `press` makes so many at a time.
    private static func row(
        _ name: String, _ editor: Typist, from begin: @escaping () -> Void, press: @escaping (Int) throws -> Void
    ) throws -> BenchCase {
        begin()
        let work = editor.view.document.work
        let start = Work(work)
        try press(counted)
        let first = Work(work)
        try press(keys - 2 * counted)
        let later = Work(work)
        try press(counted)
        let last = Work(work)
        return BenchCase(
            workload: .text, name: name, unit: "press", unitsPerRun: keys,
            counters: first.counters(since: start, "first thousand") + last.counters(since: later, "last thousand"),
            run: {
                begin()
                try press(keys)
            },
            timedRun: {
                begin()
                let time = MonotonicClock.threadNanoseconds()
                try press(keys)
                return MonotonicClock.threadNanoseconds() - time
            })
    }

    /// A text view in a window, and the typing in it.
    private final class Typist {
        let view: TextView
        private let engine: KeyboardEngine
        private var time = TraceTime.zero

        init(_ text: String) throws {
            guard let layout = ShippedLayouts.named("us"), let profile = Profile.named("ios15") else {
                throw BenchFailure("the shipped layout us and the profile are missing")
            }
            view = TextView(id: "text", text: text)
            let window = Window(id: "win")
            window.addSubview(view)
            let application = Application(id: "app")
            application.addWindow(window)
            application.makeKey(window)
            engine = KeyboardEngine(application: application, profile: profile, layout: layout, cachePolicy: .chain)
            engine.track([view])
            engine.focus(view)
        }

        /// The text as it was, and the caret somewhere; `nil` is its end.
        func begin(_ text: String, at offset: Int?) {
            if view.text != text { view.text = text }
            let place = offset.flatMap { view.position(from: view.beginningOfDocument, offset: $0) }
            view.selectedTextRange = view.textRange(from: place ?? view.endOfDocument, to: place ?? view.endOfDocument)
        }

        private static let letters: [KeyUsage] = (0..<26).map { KeyUsage.keyboard(UInt16(0x04 + $0)) } + [.spacebar]

        func type(_ count: Int) throws {
            let length = view.documentLength
            for number in 0..<count { press(Typist.letters[number % Typist.letters.count]) }
            let typed = view.documentLength - length
            try BenchFailure.check(typed == count, "\(count) keys typed \(typed) characters")
        }

        func press(_ usage: KeyUsage, times: Int) throws {
            let line = view.document.line(of: view.editor.caret)
            for _ in 0..<times { press(usage) }
            let moved = view.document.line(of: view.editor.caret) - line
            try BenchFailure.check(moved == times, "\(times) arrows moved \(moved) lines")
        }

        private func press(_ usage: KeyUsage) {
            time = time.advanced(by: TraceDuration(nanoseconds: 30_000_000))
            _ = engine.keyDown(.clear(usage), at: time)
            _ = engine.keyUp(.clear(usage), at: time)
        }
    }
}
