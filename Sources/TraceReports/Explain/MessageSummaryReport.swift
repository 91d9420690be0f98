import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

/// The messages that hooks recorded of a press, for people.
extension ExplainReport {
    /// Consecutive messages of one kind, depth and occasion that were answered no, as one line; those of the main menu
    /// are lines of their own.
    struct MessageGroup {
        var messages: [MessageSummary]

        var count: UInt64 { messages.reduce(0) { $0 &+ $1.count } }
        var duration: TraceDuration { messages.reduce(.zero) { $0 + $1.duration } }
    }

    var messageGroups: [MessageGroup] {
        var groups: [MessageGroup] = []
        for message in explanation.messages {
            if let last = groups.last?.messages.last, last.kind == message.kind, last.answer == .no,
                message.answer == .no, last.depth == message.depth, last.occasion == message.occasion,
                last.receiver != "mainMenu", message.receiver != "mainMenu"
            {
                groups[groups.count - 1].messages.append(message)
            } else {
                groups.append(MessageGroup(messages: [message]))
            }
        }
        return groups
    }

    func messages(_ style: ReportStyle) -> String {
        var table = TextTable([
            .init(title: "message", fit: .wrap), .init(title: "to", fit: .wrap), .right("times"), .right("time   "),
            .init(title: "answer", fit: .wrap),
        ])
        for group in messageGroups {
            guard let first = group.messages.first else { continue }
            let isTaker = first.answer == .yes && first.kind == .keyEquivalent
            table.add([
                TextTable.Cell(String(repeating: "  ", count: min(Int(first.depth), 8)) + Self.name(of: first)),
                TextTable.Cell(Self.receiver(of: group) + (isTaker ? " ◀" : ""), isTaker ? .good : .plain),
                .count(group.count), .time(group.duration), .init(Self.answer(first)),
            ])
        }
        return table.rendered(style)
    }

    /// The kind, with the selector that it is about; messages at the release are marked.
    static func name(of message: MessageSummary) -> String {
        var name = message.kind.name
        if message.kind.isAboutSelector, let selector = message.selector {
            name += " " + SafeText.escaped(selector, limit: 40)
        }
        return message.occasion == .release ? name + " (release)" : name
    }

    static func receiver(of group: MessageGroup) -> String {
        let names = group.messages.map {
            $0.receiver == "mainMenu" ? "main menu" : SafeText.escaped($0.receiver, limit: 40)
        }
        guard names.count > 3 else { return names.joined(separator: ", ") }
        return names.prefix(2).joined(separator: ", ") + " and \(names.count - 2) more"
    }

    static func answer(_ message: MessageSummary) -> String {
        let path = message.path.map { " " + SafeText.escaped($0, limit: 60) } ?? ""
        switch message.answer {
        case .nothing: return path
        case .no: return "no" + path
        case .yes: return "yes" + path
        case .responder(let responder): return SafeText.escaped(responder, limit: 40) + path
        case .list(let count): return HumanNumbers.counted(UInt64(count), "thing", "things")
        }
    }

    /// Such as `8 responders, main menu (24 menus) asked for key equivalents: no; NSTextView keyDown; …`. What refused
    /// is one part, and the end is shown whatever came before it: it has the decision.
    var messageSummary: String {
        var parts: [String] = []
        var refusing: [MessageGroup] = []
        for group in messageGroups {
            guard let first = group.messages.first, first.occasion != .release else { continue }
            if first.kind == .keyEquivalent {
                refusing.append(group)
            } else if [.keyDown, .doCommand, .insertText, .sendAction].contains(first.kind) {
                parts += Self.asked(refusing) + [Self.words(of: group, first)]
                refusing = []
            }
        }
        parts += Self.asked(refusing)
        guard parts.count > 8 else { return parts.joined(separator: "; ") }
        return (parts.prefix(3) + ["and \(parts.count - 7) more"] + parts.suffix(4)).joined(separator: "; ")
    }

    private static func words(of group: MessageGroup, _ message: MessageSummary) -> String {
        var words = "\(receiver(of: group)) \(name(of: message))"
        if case .responder = message.answer { words += " → " + answer(message) }
        if message.answer == .no { words += ": no" }
        return words
    }

    /// Key equivalents that were asked for one after the other: all that refused, and the one that did not.
    private static func asked(_ groups: [MessageGroup]) -> [String] {
        let messages = groups.flatMap(\.messages)
        let refusing = messages.filter { $0.answer == .no }
        let others = refusing.filter { $0.receiver != "mainMenu" }
        var who = others.count == 1 ? [receiver(of: MessageGroup(messages: others))] : []
        if others.count > 1 { who = [HumanNumbers.counted(UInt64(others.count), "responder", "responders")] }
        if let menu = refusing.first(where: { $0.receiver == "mainMenu" }) {
            who.append("main menu" + (menu.count > 1 ? " (\(menu.count) menus)" : ""))
        }
        let refused = who.isEmpty ? [] : [who.joined(separator: ", ") + " asked for key equivalents: no"]
        return refused + messages.filter { $0.answer != .no }.map { message in
            let menus = message.receiver == "mainMenu" && message.count > 1 ? " (\(message.count) menus)" : ""
            return receiver(of: MessageGroup(messages: [message])) + menus
                + " asked for key equivalents: \(answer(message))"
        }
    }
}

extension AdapterHook {
    /// A note that it recorded nothing, with the reason.
    var absence: String {
        let why = reason.map { " (\(SafeText.escaped($0, limit: 80)))" } ?? ""
        return "hook \(SafeText.escaped(name, limit: 40)) is \(state.rawValue)\(why)"
    }
}
