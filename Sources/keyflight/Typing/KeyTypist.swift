import KeyModel
import Libc
import TraceExport
import TraceFormat

/// Types the keys of an input into the window that has the keyboard of an X display.
struct KeyTypist {
    private let name: String
    private let console: Console

    /// Ends with `interrupted` where a signal asked for it. Whatever happens, no key stays down.
    static func type(_ input: Input, waits: Bool, _ console: Console) throws -> ExitStatus {
        var (source, device) = try ExportedKeys.source(input)
        let typist = KeyTypist(name: source.name, console: console)
        do {
            var survey = KeyTyping(device: device)
            var unread = source
            try unread.forEach { _ = try survey.event($0, $1) }
            let keyboard = try XKeyboard()
            let codes = try typist.codes(for: survey, on: keyboard)
            typist.note(survey)
            try typist.waitUntilKeysReleased(keyboard)
            NotedSignals.begin()
            let isWhole = try typist.type(&source, KeyTyping(device: device), codes, on: keyboard, waits: waits)
            keyboard.releaseAll()
            // A signal that was noted ends the program here.
            NotedSignals.end()
            guard isWhole else { return .interrupted }
        } catch let refusal as ExportRefusal {
            throw Failure(.notExportable, "\(source.name): \(refusal)")
        }
        return source.status(console)
    }

    /// The key codes of all keys.
    /// - Throws: A `Failure` for the first key that the display lacks, or that types something else there.
    private func codes(for survey: KeyTyping, on keyboard: XKeyboard) throws -> [KeyUsage: UInt32] {
        var codes: [KeyUsage: UInt32] = [:]
        for need in survey.needs {
            let key = Chord(modifiers: need.isShifted ? .shift : [], usage: need.usage).text
            guard let code = keyboard.code(of: need.usage) else {
                throw Failure(
                    .notExportable,
                    "\(name): key \(key): expected it on display \(keyboard.name), whose layout has no such key")
            }
            codes[need.usage] = code
            guard let text = need.text else { continue }
            let found = keyboard.text(of: code, isShifted: need.isShifted)
            guard found == text else {
                let other = found.isEmpty ? "nothing" : "\"\(VisibleText.escaped(found))\""
                throw Failure(
                    .notExportable,
                    "\(name): key \(key): expected \"\(VisibleText.escaped(text))\", as on the layout of the input, "
                        + "found \(other) on display \(keyboard.name); name the display's layout with --layout, or "
                        + "change it with setxkbmap")
            }
        }
        return codes
    }

    /// Reports, before the first key, the keys that cannot be typed.
    private func note(_ survey: KeyTyping) {
        ExportedKeys.note(survey.omissions, name, console)
        if survey.withOption > 0 {
            console.note(
                "\(name): \(survey.withOption) keys have Option held, which is Alt on an X display: characters that "
                    + "layouts have there are not typed")
        }
    }

    /// The Return of the command that started this may still be down.
    private func waitUntilKeysReleased(_ keyboard: XKeyboard) throws {
        let pacer = WallClockPacer()
        for tenth in 1...20 as ClosedRange<Int64> where keyboard.isInUse {
            _ = pacer.wait(until: TraceDuration(nanoseconds: tenth * 100_000_000))
        }
        guard !keyboard.isInUse else {
            throw Failure(
                .notTypable,
                "typing: display \(keyboard.name): keys: expected all of them up, found some down for 2 s")
        }
        guard keyboard.hasFocus else {
            throw Failure(
                .notTypable, "typing: display \(keyboard.name): keyboard: expected a window that has it, found none")
        }
    }

    /// False when it was interrupted.
    private func type(
        _ source: inout RecordSource, _ typing: KeyTyping, _ codes: [KeyUsage: UInt32], on keyboard: XKeyboard,
        waits: Bool
    ) throws -> Bool {
        var typing = typing
        var pace = EventPace(waits: waits)
        var isInterrupted = false
        try source.forEach { record, definitions in
            guard !isInterrupted, let event = try typing.event(record, definitions), let code = codes[event.usage]
            else { return }
            let late = pace.wait(until: record.time)
            isInterrupted = NotedSignals.first != nil
            guard !isInterrupted else { return }
            pace.note(late)
            if event.isDown { keyboard.press(code) } else { keyboard.release(code) }
        }
        let late = pace.lateness.map { "; " + $0 } ?? ""
        console.note("\(name): \(typing.presses) presses typed on display \(keyboard.name)\(late)")
        return !isInterrupted
    }
}
