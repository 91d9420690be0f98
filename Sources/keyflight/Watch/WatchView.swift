import ArgumentParser
import KeyModel
import LatencyAnalysis
import SystemPackage
import TraceReports

/// The screen of a session.
extension WatchSession {
    /// Its lines, from the top: a title, the presses and beside them, in a narrow terminal below them, the explanation
    /// of the selected one, the state, and a line for messages.
    mutating func lines(columns: Int, rows: Int) -> [String] {
        let height = max(1, rows - 4)
        var body = bodyLines(columns, height)
        if mode != .list {
            page = height
            scroll = max(0, min(scroll, body.count - height))
            body = Array(body.dropFirst(scroll).prefix(height))
        }
        while body.count < height { body.append("") }
        let lines = [title(columns)] + body + stateLines.map { cell($0, columns) } + [lastLine(columns)]
        return lines.prefix(rows).map { TerminalScreen.clipped($0, to: columns) }
    }

    private mutating func bodyLines(_ columns: Int, _ height: Int) -> [String] {
        switch mode {
        case .list: columns < 120 ? linesAbove(columns, height) : linesBeside(columns, height)
        case .whole: explanation(columns)
        case .help: Watch.configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { DisplayWidth.wrap(style.spelled(String($0)), into: columns) }
        }
    }

    // MARK: Title

    private mutating func title(_ columns: Int) -> String {
        let file = FilePath(name).lastComponent?.string ?? name
        var parts = [SafeText.escaped(file, limit: 60), status]
        if trace != nil { parts.append(HumanNumbers.counted(count, "press", "presses")) }
        if isSlowFirst { parts.append("slowest first") }
        if let filter = trace?.filter {
            let leftOut = trace?.leftOut ?? 0
            let left = leftOut > 0 ? " (\(HumanNumbers.count(leftOut)) before are left out)" : ""
            parts.append("where \(SafeText.escaped(filter.text))\(left)")
        }
        if isPaused { parts.append("PAUSED") }
        return style.paint(cell(parts.joined(separator: " · "), columns), .heading)
    }

    private var status: String {
        guard let trace else { return "waiting" }
        if isBehind {
            let (offset, bytes) = trace.progress
            return "reading \(bytes > 0 ? min(100, UInt64(offset) * 100 / bytes) : 0) %"
        }
        return trace.isEnded ? "ended" : isFollowing ? "live, following" : "live"
    }

    // MARK: The list

    /// The explanation below the list.
    private mutating func linesAbove(_ columns: Int, _ height: Int) -> [String] {
        let rows = height < 10 ? height : max(4, height * 2 / 5)
        let list = listLines(columns, rows)
        guard rows < height else { return list }
        let rule = String(repeating: style.isASCII ? "-" : "─", count: columns)
        return list + [rule] + explanation(columns, height - rows - 1)
    }

    private mutating func linesBeside(_ columns: Int, _ height: Int) -> [String] {
        let width = min(84, columns * 48 / 100)
        let list = listLines(width, height)
        let side = explanation(columns - width - 3, height)
        let bar = style.isASCII ? " | " : " │ "
        return list.enumerated().map { row, line in line + bar + (row < side.count ? side[row] : "") }
    }

    /// So many rows, the selected one among them.
    private mutating func listLines(_ width: Int, _ rows: Int) -> [String] {
        page = rows
        top = max(0, min(max(min(top, selected), selected - rows + 1), count - rows))
        let shown = self.rows(top..<top + rows)
        var lines = shown.enumerated().map { line($1, width, isSelected: top + $0 == selected) }
        if lines.isEmpty { lines = [cell(emptyWords, width)] }
        return lines + Array(repeating: cell("", width), count: max(0, rows - lines.count))
    }

    private var emptyWords: String {
        guard let trace else { return "nothing is recorded yet" }
        if isBehind { return "" }
        if trace.filter != nil { return "no press matches" }
        return isSlowFirst ? "no stage is recorded" : trace.isEnded ? "no key was pressed" : "no key was pressed yet"
    }

    private func line(_ press: ListedPress, _ width: Int, isSelected: Bool) -> String {
        let marker = (isSelected ? style.isASCII ? ">" : "▶" : " ") + (marks.contains(press.press) ? "*" : " ")
        let repeats = press.repeats > 0 ? " ×\(HumanNumbers.count(press.repeats))" : ""
        let isWide = width >= 56
        let before = marker + right("\(press.press)", max(3, "\(count)".count)) + " "
            + (isWide ? right(HumanNumbers.time(press.time), 11) + "  " : "")
            + cell(KeyFormatter.chord(press.chord) + repeats, isWide ? 16 : 9) + " "
        let after = " " + right(HumanNumbers.duration(press.total), 8)
        let room = max(4, width - DisplayWidth.of(before) - DisplayWidth.of(after))
        let outcome = cell(press.outcome.map { KeyFormatter.outcome($0) } ?? HumanNumbers.absent, room)
        if isSelected, style.usesColour { return "\u{1B}[7m\(before)\(outcome)\(after)\u{1B}[0m" }
        let isLost = press.outcome.map { WatchSession.lost.contains($0.outcome) } ?? false
        return before + style.paint(outcome, isLost ? .bad : .plain) + after
    }

    private static let lost: Set<Outcome> = [.unhandled, .noStart, .blockedUnperformable, .discarded, .cancelled]

    /// A text in so many cells.
    private func cell(_ text: String, _ width: Int) -> String {
        var fitted = DisplayWidth.fit(style.spelled(text), into: width)
        if style.isASCII { fitted = fitted.replacing("…", with: "~") }
        return fitted + String(repeating: " ", count: max(0, width - DisplayWidth.of(fitted)))
    }

    private func right(_ text: String, _ width: Int) -> String {
        let spelled = style.spelled(text)
        return String(repeating: " ", count: max(0, width - DisplayWidth.of(spelled))) + spelled
    }

    // MARK: The explanation

    /// The text of `explain`, but for its header.
    private mutating func explanation(_ width: Int, _ height: Int = .max) -> [String] {
        // Each press of a long trace would be read twice.
        guard !isBehind, let press = selection?.press else { return [] }
        guard let report = trace?.report(of: press, isWhole: mode == .whole) else { return [cell("not known", width)] }
        var style = style
        style.width = max(20, width)
        let lines = style.spelled(report.pressText(style)).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
        guard lines.count > height else { return lines }
        return lines.prefix(height - 1) + [style.paint(cell("… e shows all", width), .faint)]
    }

    // MARK: The state

    /// What is held, who has the keyboard, losses and the rate: now while the newest press is followed, else at the
    /// selected one.
    private var stateLines: [String] {
        mutating get {
            guard let trace else { return ["", ""] }
            let info = trace.info
            var rate = "\(isQuiet ? 0 : trace.recent.count) keys/s"
            if trace.isEnded {
                let milliseconds = UInt64(max(1_000, info.duration.nanoseconds / 1_000_000))
                let tenths = info.numberedPresses * 10_000 / milliseconds
                rate = "\(tenths / 10).\(tenths % 10) keys/s on average"
            }
            return [focusLine, ["losses: " + LossLine.text(info.loss), rate].joined(separator: " · ")]
        }
    }

    private var focusLine: String {
        mutating get {
            guard let trace else { return "" }
            if isFollowing || isBehind {
                let (modifiers, keys) = trace.held
                let names = keys.isEmpty
                    ? Chord.glyphs(modifiers)
                    : keys.map { KeyFormatter.chord(PressChord(modifiers: modifiers, key: $0, character: nil)) }
                        .joined(separator: " ")
                return WatchSession.focus("held", names, trace.focus.firstResponder, trace.focus.keyWindow)
            }
            guard let press = selection, let found = self.trace?.report(of: press.press)?.explanation else { return "" }
            return WatchSession.focus(
                "#\(press.press): held", KeyFormatter.chord(press.chord), found.context.firstResponder,
                found.resolution?.keyWindow ?? found.context.keyWindow)
        }
    }

    private static func focus(_ when: String, _ held: String, _ responder: String?, _ window: String?) -> String {
        func safe(_ name: String?) -> String { name.map { SafeText.escaped($0, limit: 40) } ?? HumanNumbers.absent }
        let keys = held.isEmpty ? HumanNumbers.absent : held
        return "\(when) \(keys) · first responder \(safe(responder)) · key window \(safe(window))"
    }

    private func lastLine(_ columns: Int) -> String {
        if let prompt {
            let label = prompt.kind == .search ? "/" : "where: "
            let note = message.isEmpty ? "" : "   " + message
            // The end of a long text is where it is edited.
            let room = max(1, columns - label.count - 2)
            let text = VisibleText.escaped(prompt.text)
            let shown = String(text.suffix(room))
            return cell(label + shown + "_" + VisibleText.escaped(note), columns)
        }
        if !message.isEmpty { return cell(VisibleText.escaped(message), columns) }
        return style.paint(cell(mode == .list ? WatchSession.hint : "↑↓ scroll  Esc back", columns), .faint)
    }

    private static let hint =
        "? help  q quit  ↑↓ select  / search  f filter  s slow  e whole  y copy  m mark  space pause"
}
