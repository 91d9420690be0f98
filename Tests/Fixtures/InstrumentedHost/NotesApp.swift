import FlightRecorder
import Libc

/// An app of a dozen responders that was instrumented by hand: where UIKit asks a responder of the app's own for its
/// key commands, or whether it can perform an action, the answer is recorded, and so is what each press came to. No
/// candidate, no receiver, no profile and no layout is. `Tests/Fixtures/RecorderFromC/notes.c` is the same app in C.
final class NotesApp {
    /// What an object of the chain offers and performs.
    private final class Node {
        let id: String
        let next: Node?
        var commands: [Offer]
        /// By selector; answers that are asked for and not here are no.
        let performs: [String: Bool]
        let isText: Bool

        init(
            _ id: String, next: Node?, commands: [Offer] = [], performs: [String: Bool] = [:], isText: Bool = false
        ) {
            (self.id, self.next, self.commands, self.performs, self.isText) = (id, next, commands, performs, isText)
            Keyflight.name(self, id)
        }

        deinit { Keyflight.forget(self) }

        /// Only responders of the app's own are instrumented.
        var isOwn: Bool { !commands.isEmpty || !performs.isEmpty }

        var keyCommands: [Offer] { isOwn ? Keyflight.keyCommands(of: self) { commands } : [] }

        func canPerform(_ action: String) -> Bool {
            isOwn ? Keyflight.canPerform(action, on: self) { performs[action] ?? false } : false
        }
    }

    private let nodes: [String: Node]
    private var first: Node

    init() {
        let app = Node(
            "app", next: nil,
            commands: [
                command("n", action: "newWindow:"), command("w", action: "closeWindow:"), command("q", action: "quit:"),
            ],
            performs: ["newWindow:": true, "closeWindow:": true, "quit:": true])
        let scene = Node("scene", next: app)
        let window = Node("window", next: scene)
        let root = Node("root", next: window, performs: ["toggleSidebar:": true])
        let tabs = Node(
            "tabs", next: root,
            commands: [
                command("t", action: "newTab:"), command("w", action: "closeTab:"),
                command(.left, action: "previousTab:"), command(.right, action: "nextTab:"),
            ], performs: ["newTab:": true, "closeTab:": true, "previousTab:": true, "nextTab:": true])
        let split = Node("split", next: tabs, commands: [command("s", [.control, .command], action: "toggleSidebar:")])
        let navigation = Node(
            "navigation", next: split, commands: [command("[", action: "goBack:")], performs: ["goBack:": true])
        let document = Node(
            "document", next: navigation,
            commands: [
                command("s", action: "save:"), command("w", action: "closeDocument:"),
                command("k", action: "insertLink:"),
            ],
            performs: ["save:": true, "closeDocument:": true])
        let editor = Node("editor", next: document, isText: true)
        let list = Node(
            "list", next: navigation,
            commands: [
                command(.up, [], action: "selectPrevious:"), command(.down, [], action: "selectNext:"),
                command("d", action: "duplicate:"),
            ],
            performs: ["selectPrevious:": true, "selectNext:": true, "duplicate:": true])
        let table = Node("table", next: list)
        let search = Node("search", next: list, isText: true)
        let all = [editor, document, navigation, split, tabs, root, window, scene, app, table, list, search]
        nodes = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
        first = editor
        for node in all { Keyflight.link(node, to: node.next, window: window) }
        Keyflight.keyWindow(window, cause: .start)
        focus("editor")
    }

    private func focus(_ id: String) {
        first = nodes[id] ?? first
        Keyflight.firstResponder(first, cause: .become)
        Keyflight.textInput(first.isText ? first : nil)
    }

    private var chain: UnfoldFirstSequence<Node> { sequence(first: first, next: \.next) }

    /// 80 presses: chords, letters into text, arrows through a list, and keys that no responder takes.
    static func run(_ path: String) throws {
        var options = RecorderOptions(.file(path), level: .calls)
        options.autoStop = nil
        let flight = try Keyflight.start(options)
        let app = NotesApp()
        for round in 0..<4 { app.play(round) }
        try flight.stop()
        print("\(app.presses) presses")
    }

    private(set) var presses = 0

    /// Twenty presses.
    private func play(_ round: Int) {
        focus("editor")
        for letter in ["h", "e", "l", "l", "o"] { type(letter, []) }
        type("w", .command)
        type("s", .command)
        type("k", .command)
        focus("table")
        type(.left, .command)
        // The stack is deep in every other round.
        if round % 2 == 1 { nodes["navigation"]?.commands.append(command(.left, action: "goBack:")) }
        type(.left, .command)
        nodes["navigation"]?.commands = [command("[", action: "goBack:")]
        type(.right, .command)
        type(.down, [])
        type(.down, [])
        type("d", .command)
        type("j", .command)
        type("w", .command)
        type(.escape, [])
        focus("search")
        type("a", [])
        type("n", .command)
        type("t", .command)
    }

    /// A key goes down with its modifiers held, is handled, and goes up.
    private func type(_ input: String, _ modifiers: KeyModifiers) {
        if modifiers.contains(.command) { Keyflight.key(.leftGUI, .down) }
        presses += 1
        let usage = NotesApp.usage(of: input)
        Keyflight.handle(usage, .down, systemTime: hostClock()) { handle(input, modifiers) }
        // The operating system stamps releases too.
        Keyflight.handle(usage, .up, systemTime: hostClock()) { nil }
        if modifiers.contains(.command) { Keyflight.key(.leftGUI, .up) }
        // Buffers are emptied meanwhile, so that nothing is lost.
        usleep(1_000)
    }

    private func handle(_ input: String, _ modifiers: KeyModifiers) -> RecordedResolution {
        let collected = Keyflight.measure(.collect) {
            chain.flatMap { node in node.keyCommands.map { (supplier: node, command: $0) } }
        }
        if first.isText, modifiers.isEmpty, input.count == 1 {
            return RecordedResolution(.consumedByText, by: .text, target: first)
        }
        let match = collected.first { $0.command.input == input && $0.command.modifiers == modifiers }
        guard let (supplier, command) = match else { return RecordedResolution(.unhandled) }
        let target = Keyflight.measure(.validate) { chain.first { $0.canPerform(command.action) } }
        guard let target else {
            return RecordedResolution(
                .blockedUnperformable, by: .keyCommands, action: command.action, supplier: supplier)
        }
        Keyflight.measure(.action) {}
        return RecordedResolution(
            .performed, by: .keyCommands, action: command.action, supplier: supplier, target: target)
    }

    private static func usage(of input: String) -> KeyUsage {
        switch input {
        case .left: .leftArrow
        case .right: .rightArrow
        case .up: .upArrow
        case .down: .downArrow
        case .escape: .escape
        default: .keyboard(UInt16(input.utf8.first ?? 0x61) - 0x61 + 0x04)
        }
    }
}

/// A key command of this app.
private struct Offer: RecordedCommand {
    var input: String
    var modifiers: KeyModifiers
    var action: String

    var recordedInput: String? { input }
    var recordedModifiers: KeyModifiers { modifiers }
    var recordedAction: String { action }
}

private func command(_ input: String, _ modifiers: KeyModifiers = .command, action: String) -> Offer {
    Offer(input: input, modifiers: modifiers, action: action)
}

extension String {
    /// The inputs that UIKeyCommand names.
    fileprivate static let left = "UIKeyInputLeftArrow"
    fileprivate static let right = "UIKeyInputRightArrow"
    fileprivate static let up = "UIKeyInputUpArrow"
    fileprivate static let down = "UIKeyInputDownArrow"
    fileprivate static let escape = "UIKeyInputEscape"
}
