import KeyModel
import LatencyAnalysis
import TraceReports

/// What a person sees of a trace, and what keys do to it. `lines(columns:rows:)` has it as a screen.
struct WatchSession {
    enum Mode { case list, whole, help }

    /// What a key asks of the terminal.
    enum Effect: Equatable {
        case quit, suspend
        /// Into the clipboard.
        case copy(String)
    }

    struct Prompt {
        enum Kind { case search, filter }
        var kind: Kind
        var text: String
    }

    var trace: WatchedTrace?
    let name: String
    /// The input and the options of its replay, for commands that are shown.
    let arguments: [String]
    var style: ReportStyle
    var mode = Mode.list
    var prompt: Prompt?
    var message = ""
    private(set) var isSlowFirst = false
    private(set) var isPaused = false
    /// The newest press is the selected one.
    private(set) var isFollowing: Bool
    private(set) var selected = 0
    private(set) var marks: Set<UInt32> = []
    private var searched = ""
    /// No key came for a second.
    var isQuiet = false
    /// The first row that is shown, and the first line of the whole explanation or of the help.
    var top = 0
    var scroll = 0
    /// Rows that a page key passes.
    var page = 20
    private static let mostMarks = 1_000
    private static let longestPrompt = PressFilter.lengthLimit

    init(_ trace: WatchedTrace?, name: String, arguments: [String], style: ReportStyle, isFollowing: Bool) {
        (self.trace, self.name, self.arguments) = (trace, name, arguments)
        (self.style, self.isFollowing) = (style, isFollowing)
    }

    /// Reads on for at most so long, unless it is paused. Returns true when something came.
    mutating func advance(for duration: Duration) -> Bool {
        guard !isPaused, trace != nil else { return false }
        let hasCome = trace?.advance(for: duration) ?? false
        if isFollowing { select(count - 1) }
        return hasCome
    }

    /// More is to be read at once.
    var isBehind: Bool { !isPaused && trace.map { !$0.isRead } ?? false }

    // MARK: Rows

    var count: Int { (isSlowFirst ? trace?.slowest.count : trace?.count) ?? 0 }

    mutating func rows(_ wanted: Range<Int>) -> [ListedPress] {
        guard isSlowFirst, let slowest = trace?.slowest else { return trace?.rows(wanted) ?? [] }
        return Array(slowest[wanted.clamped(to: slowest.indices)])
    }

    var selection: ListedPress? {
        mutating get { rows(selected..<selected + 1).first }
    }

    private mutating func select(_ row: Int) { selected = max(0, min(row, count - 1)) }

    private mutating func move(to row: Int) {
        select(row)
        isFollowing = selected >= count - 1 && !isSlowFirst && !(trace?.isEnded ?? false)
    }

    // MARK: Keys

    mutating func handle(_ key: ScreenKey, isPasted: Bool = false) -> Effect? {
        if key == .suspend { return .suspend }
        if key == .interrupt { return .quit }
        if prompt != nil {
            edit(key)
            return nil
        }
        // What is pasted is no command.
        guard !isPasted else { return nil }
        message = ""
        return mode == .list ? command(key) : turn(key)
    }

    /// Keys of the list.
    private mutating func command(_ key: ScreenKey) -> Effect? {
        switch key {
        case .up, .character("k"): move(to: selected - 1)
        case .down, .character("j"): move(to: selected + 1)
        case .pageUp: move(to: selected - page)
        case .pageDown: move(to: selected + page)
        case .home, .character("g"): move(to: 0)
        case .end, .character("G"): move(to: count - 1)
        case .enter, .character("e"): (mode, scroll) = (.whole, 0)
        case .character("?"): (mode, scroll) = (.help, 0)
        case .character("/"): prompt = Prompt(kind: .search, text: "")
        case .character("n"): search(forwards: true)
        case .character("N"): search(forwards: false)
        case .character("f"): prompt = Prompt(kind: .filter, text: trace?.filter?.text ?? "")
        case .character("s"):
            isSlowFirst.toggle()
            (isFollowing, top) = (false, 0)
            select(0)
        case .character("y"): return selection.map { copy($0.press) }
        case .character("m"): mark()
        case .character("M"): moveToMark()
        case .character(" "): isPaused.toggle()
        case .character("q"): return .quit
        default: break
        }
        return nil
    }

    /// Keys of a page.
    private mutating func turn(_ key: ScreenKey) -> Effect? {
        switch key {
        case .up, .character("k"): scroll -= 1
        case .down, .character("j"): scroll += 1
        case .pageUp: scroll -= page
        case .pageDown, .character(" "): scroll += page
        case .home, .character("g"): scroll = 0
        case .end, .character("G"): scroll = .max / 2
        case .character("y") where mode == .whole: return selection.map { copy($0.press) }
        default: mode = .list
        }
        return nil
    }

    private mutating func edit(_ key: ScreenKey) {
        guard var edited = prompt else { return }
        switch key {
        case .character(let character):
            if edited.text.utf8.count < WatchSession.longestPrompt { edited.text.append(character) }
        case .backspace: _ = edited.text.popLast()
        case .eraseLine: edited.text = ""
        case .escape: return prompt = nil
        case .enter: return finish(edited)
        default: break
        }
        prompt = edited
    }

    private mutating func finish(_ edited: Prompt) {
        prompt = nil
        message = ""
        switch edited.kind {
        case .search:
            if !edited.text.isEmpty { searched = edited.text.lowercased() }
            search(forwards: true)
        case .filter: filter(edited.text)
        }
    }

    /// Shows the presses that match an expression, all where it is empty. A wrong one can be corrected.
    mutating func filter(_ expression: String) {
        do {
            let isEmpty = expression.allSatisfy { $0 == " " }
            let isLive = trace?.isEnded == false
            trace = try trace?.again(where: isEmpty ? nil : PressFilter(expression))
            (top, isFollowing) = (0, isLive && !isSlowFirst)
            select(0)
        } catch {
            prompt = Prompt(kind: .filter, text: expression)
            message = "\(error)"
        }
    }

    // MARK: Search, marks, commands

    /// Selects the next press, or the one before, whose chord, result or number contains what was looked for.
    private mutating func search(forwards: Bool) {
        let text = searched
        guard !text.isEmpty else { return }
        let isFound = select(forwards: forwards) { press in
            let words = [
                "#\(press.press)", KeyFormatter.chord(press.chord), press.chord.text ?? "",
                press.outcome.map { KeyFormatter.outcome($0) } ?? "",
            ]
            return words.contains { $0.lowercased().contains(text) }
        }
        if !isFound { message = "not found: \(text)" }
    }

    /// Selects the next press that matches, from the first one on after the last. False where there is none.
    private mutating func select(forwards: Bool, where matches: (ListedPress) -> Bool) -> Bool {
        let (all, chunk, start) = (count, 256, selected)
        for span in forwards ? [min(start + 1, all)..<all, 0..<min(start + 1, all)] : [0..<start, start..<all] {
            let starts = Array(stride(from: span.lowerBound, to: span.upperBound, by: chunk))
            for first in forwards ? starts : starts.reversed() {
                let found = rows(first..<min(first + chunk, span.upperBound))
                let place = forwards ? found.firstIndex(where: matches) : found.lastIndex(where: matches)
                guard let place else { continue }
                move(to: first + place)
                return true
            }
        }
        return false
    }

    private mutating func mark() {
        guard let press = selection?.press else { return }
        if marks.remove(press) == nil, marks.count < WatchSession.mostMarks { marks.insert(press) }
    }

    private mutating func moveToMark() {
        let marks = marks
        if !select(forwards: true, where: { marks.contains($0.press) }) { message = "no press is marked: m marks one" }
    }

    private mutating func copy(_ press: UInt32) -> Effect {
        message = "copied: \(command(for: press))"
        return .copy(command(for: press))
    }

    /// The command that prints the explanation of a press.
    func command(for press: UInt32) -> String {
        (["keyflight", "explain"] + arguments + ["--press", String(press)]).map { ShellWord.quoted($0) }
            .joined(separator: " ")
    }
}
