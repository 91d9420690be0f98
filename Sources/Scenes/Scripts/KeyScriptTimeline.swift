public import KeyModel

extension KeyScript {
    /// Time between a press's downs and its ups.
    public static let pressDuration = TraceDuration(nanoseconds: 30_000_000)
    /// Time between the end of a step and the beginning of the next.
    public static let stepGap = TraceDuration(nanoseconds: 10_000_000)

    /// The script on the virtual clock, from time 0.
    ///
    /// `layout` is the one at the start; `layoutNamed` gives those that `do layout NAME` steps change to. `type`
    /// and `char:` use the layout at their point, with Caps Lock off and no other key held. Every character of
    /// `type` is a press of its own: its dead keys, then its key, level 3 by the right Alt key.
    public func timeline(
        layout: Layout, layoutNamed: (String) throws -> Layout
    ) throws(SourceTextError) -> KeyTimeline {
        var inputs: [TimedInput] = []
        inputs.reserveCapacity(steps.count * 4)
        let end = try write(layout, layoutNamed) { inputs += $0 }
        return KeyTimeline(inputs: inputs, end: end)
    }

    /// The end of the script, without keeping any of its inputs; the errors are those of `timeline`.
    public func end(
        layout: Layout, layoutNamed: (String) throws -> Layout
    ) throws(SourceTextError) -> TraceTime {
        try write(layout, layoutNamed) { _ in }
    }

    private func write(
        _ layout: Layout, _ layoutNamed: (String) throws -> Layout, _ take: ([TimedInput]) -> Void
    ) throws(SourceTextError) -> TraceTime {
        var writer = TimelineWriter(script: self, layout: layout)
        for line in pieces {
            try writer.add(line, layoutNamed)
            take(writer.takeSettled())
        }
        writer.finish()
        take(writer.takeSettled())
        return writer.end
    }

    /// The inputs of `timeline` one after the other: a long script takes no more memory than its steps.
    public func inputs(layout: Layout, layoutNamed: @escaping @Sendable (String) throws -> Layout) -> Inputs {
        Inputs(script: self, writer: TimelineWriter(script: self, layout: layout), layoutNamed: layoutNamed)
    }

    /// Ends before a step that `end` gives an error for.
    public struct Inputs: IteratorProtocol, Sequence {
        private var pieces: Pieces
        private var writer: TimelineWriter
        private let layoutNamed: @Sendable (String) throws -> Layout
        private var isOver = false
        private var settled: [TimedInput] = []
        private var place = 0

        fileprivate init(
            script: KeyScript, writer: TimelineWriter, layoutNamed: @escaping @Sendable (String) throws -> Layout
        ) {
            pieces = script.pieces
            self.writer = writer
            self.layoutNamed = layoutNamed
        }

        public mutating func next() -> TimedInput? {
            while place == settled.count {
                guard !isOver else { return nil }
                isOver = pieces.next().map { (try? writer.add($0, layoutNamed)) == nil } ?? true
                if isOver { writer.finish() }
                settled = writer.takeSettled()
                place = 0
            }
            defer { place += 1 }
            return settled[place]
        }
    }

    /// The steps, of which one that types a long text comes in several: each character is a press of its own anyway.
    fileprivate var pieces: Pieces { Pieces(steps: steps) }

    fileprivate struct Pieces: Sequence, IteratorProtocol {
        private static let longest = 256
        private let steps: [Line]
        private var place = 0
        /// The rest of the text of the step at `place`.
        private var text: Substring?

        init(steps: [Line]) { self.steps = steps }

        mutating func next() -> Line? {
            guard place < steps.count else { return nil }
            guard case .type(let whole) = steps[place].step else {
                defer { place += 1 }
                return steps[place]
            }
            let rest = text ?? whole[...]
            let piece = rest.prefix(Pieces.longest)
            text = rest.dropFirst(Pieces.longest)
            let line = Line(number: steps[place].number, step: .type(String(piece)))
            if text?.isEmpty ?? true { (text, place) = (nil, place + 1) }
            return line
        }
    }
}

/// Lays the steps of a script out in time.
private struct TimelineWriter {
    let file: String
    var typist: Typist
    var inputs: [TimedInput] = []
    /// The order of each input among those of the same time.
    var orders: [InputOrder] = []
    /// The end of the last step.
    var end = TraceTime.zero
    /// The time from there to the next step's beginning: nothing before the first, the sum of the waits, else the gap.
    var wait: TraceDuration? = .zero
    var lastDown: [KeyUsage: TraceTime] = [:]
    var isFinished = false

    init(script: KeyScript, layout: Layout) {
        file = script.file
        typist = Typist(layout: layout)
    }

    mutating func add(_ line: KeyScript.Line, _ layoutNamed: (String) throws -> Layout) throws(SourceTextError) {
        switch line.step {
        case .press(let chord):
            try press(try stroke(chord, line), for: KeyScript.pressDuration, line)
        case .hold(let chord, let duration):
            try press(try stroke(chord, line), for: duration, line)
        case .down(let key):
            let usage = try stroke(KeyScript.KeyChord(modifiers: [], key: key), line).usage
            add(usage, .down, at: try begin(line), line)
        case .up(let key):
            let usage = try stroke(KeyScript.KeyChord(modifiers: [], key: key), line).usage
            add(usage, .up, at: try begin(line), line)
        case .wait(let duration):
            wait = (wait ?? .zero) + duration
        case .type(let text):
            try type(text, line)
        case .insert(let text):
            append(.text(text), at: try begin(line), .context, line)
        case .context(let step):
            if case .layout(let name) = step { typist = Typist(layout: try resolve(name, line, layoutNamed)) }
            append(.step(step), at: try begin(line), .context, line)
        }
    }

    mutating func finish() {
        if let wait { end = end.advanced(by: wait) }
        wait = .zero
        isFinished = true
    }

    /// Takes the inputs that no later step can come between: those before the end of the last step. Equal times:
    /// releases, context steps, downs; otherwise the order of the script.
    mutating func takeSettled() -> [TimedInput] {
        var start = 0
        while start < inputs.count, isFinished || inputs[start].time < end {
            var next = start + 1
            while next < inputs.count, inputs[next].time == inputs[start].time { next += 1 }
            if next - start > 1 { sort(start..<next) }
            start = next
        }
        let settled = Array(inputs[..<start])
        inputs.removeFirst(start)
        orders.removeFirst(start)
        return settled
    }

    private mutating func sort(_ range: Range<Int>) {
        let sorted = range.sorted { (orders[$0], $0) < (orders[$1], $1) }.map { inputs[$0] }
        inputs.replaceSubrange(range, with: sorted)
    }

    /// The next step's beginning, from which the clock goes on.
    private mutating func begin(_ line: KeyScript.Line) throws(SourceTextError) -> TraceTime {
        end = try advance(end, by: wait ?? KeyScript.stepGap, line)
        wait = nil
        return end
    }

    private func advance(
        _ time: TraceTime, by duration: TraceDuration, _ line: KeyScript.Line
    ) throws(SourceTextError) -> TraceTime {
        let later = time.advanced(by: duration)
        guard later.since(time) == duration, later.nanoseconds < .max else {
            throw error(line, "step", expected: "a script shorter than 292 years", found: "a longer one")
        }
        return later
    }

    private mutating func press(
        _ stroke: KeyStroke, for duration: TraceDuration, typing: Bool = false, _ line: KeyScript.Line
    ) throws(SourceTextError) {
        let start = try begin(line)
        let modifiers = TimelineWriter.modifierKeys(stroke.modifiers, typing: typing)
        for key in modifiers { add(key, .down, at: start, line) }
        add(stroke.usage, .down, at: start, line)
        end = try advance(start, by: duration, line)
        add(stroke.usage, .up, at: end, line)
        for key in modifiers.reversed() { add(key, .up, at: end, line) }
    }

    private mutating func type(_ text: String, _ line: KeyScript.Line) throws(SourceTextError) {
        for character in text {
            guard let strokes = typist.strokes(typing: character) else {
                throw error(
                    line, "type", expected: "characters that layout \(typist.layout.name) types",
                    found: SourceTextError.quoted(String(character)), remedy: "use insert for text without a key")
            }
            for stroke in strokes { try press(stroke, for: KeyScript.pressDuration, typing: true, line) }
        }
    }

    /// The left modifier keys, but level 3 is the right Alt key.
    private static func modifierKeys(_ modifiers: KeyModifiers, typing: Bool) -> [KeyUsage] {
        modifiers.leftKeys.map { typing && $0 == .leftAlt ? .rightAlt : $0 }
    }

    private mutating func add(_ usage: KeyUsage, _ phase: KeyPhase, at time: TraceTime, _ line: KeyScript.Line) {
        let event = KeyEvent(time: time, key: .clear(usage), phase: phase)
        // A release never moves before the down of its own key, or the key would stay down.
        let isOwnRelease = phase == .up && lastDown[usage] == time
        if phase == .down { lastDown[usage] = time }
        append(.key(event), at: time, phase == .down || isOwnRelease ? .down : .release, line)
    }

    private mutating func append(
        _ input: TimedInput.Input, at time: TraceTime, _ order: InputOrder, _ line: KeyScript.Line
    ) {
        inputs.append(TimedInput(time: time, input: input, line: line.number))
        orders.append(order)
    }

    /// The key of a chord. A character that needs Shift or level 3 brings them along.
    private mutating func stroke(
        _ chord: KeyScript.KeyChord, _ line: KeyScript.Line
    ) throws(SourceTextError) -> KeyStroke {
        switch chord.key {
        case .usage(let usage): return KeyStroke(usage: usage, modifiers: chord.modifiers)
        case .character(let character):
            guard let strokes = typist.strokes(typing: character), let stroke = strokes.first, strokes.count == 1 else {
                throw error(
                    line, "char:\(character)", expected: "a character with a key on layout \(typist.layout.name)",
                    found: SourceTextError.quoted(String(character)))
            }
            return KeyStroke(usage: stroke.usage, modifiers: chord.modifiers.union(stroke.modifiers))
        }
    }

    private func resolve(
        _ name: String, _ line: KeyScript.Line, _ layoutNamed: (String) throws -> Layout
    ) throws(SourceTextError) -> Layout {
        do { return try layoutNamed(name) } catch {
            throw self.error(line, "layout", expected: "a layout", found: "\(SourceTextError.quoted(name)) (\(error))")
        }
    }

    private func error(
        _ line: KeyScript.Line, _ subject: String, expected: String, found: String, remedy: String? = nil
    ) -> SourceTextError {
        SourceTextError(
            file: file, line: line.number, subject: subject, expected: expected, found: found, remedy: remedy)
    }
}

/// Finds the presses that type a character, each character once.
struct Typist {
    let layout: Layout
    private var known: [Character: [KeyStroke]?] = [:]

    init(layout: Layout) { self.layout = layout }

    /// Return and Tab type no text of the layout but belong to typing; everything else is the layout's.
    mutating func strokes(typing character: Character) -> [KeyStroke]? {
        switch character {
        case "\n", "\r", "\r\n": return [KeyStroke(usage: .returnOrEnter, modifiers: [])]
        case "\t": return [KeyStroke(usage: .tab, modifiers: [])]
        default: break
        }
        if let found = known[character] { return found }
        let found = layout.keyStrokes(typing: character)
        known[character] = .some(found)
        return found
    }
}
