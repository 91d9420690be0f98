import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// A layout without Latin letters: С is on C, Ы on S, Ц on W, Ю on the period; Shift and the slash give a comma.
private func cyrillic(commandLevel: Bool = true) throws -> Layout {
    let us = try #require(ShippedLayouts.named("us"))
    var layout = Layout(name: "cyrillic", keys: us.keys)
    let letters: [UInt16: String] = [0x06: "с", 0x16: "ы", 0x1A: "ц", 0x1D: "я", 0x37: "ю", 0x2F: "х"]
    for usage in UInt16(0x04)...0x1D {
        let letter = letters[usage] ?? String(Unicode.Scalar(UInt8(0xC0)))
        layout.keys[usage] = Layout.Key(symbols: [.text(letter), .text(letter.uppercased())], capsLock: .swaps)
    }
    for usage in [UInt16(0x37), 0x2F] {
        let letter = letters[usage] ?? ""
        layout.keys[usage] = Layout.Key(symbols: [.text(letter), .text(letter.uppercased())], capsLock: .swaps)
    }
    layout.keys[0x38] = Layout.Key(symbols: [.text("."), .text(",")])
    if commandLevel { layout.commandLevel = layout.commandLevel(from: us) }
    return layout
}

@Suite("The command level of layouts without Latin letters")
struct CommandLevelTests {
    private func action(_ commands: [KeyCommand], _ chord: String, level: Bool = true) throws -> String? {
        let bench = try Bench("ios15")
        bench.engine.layout = try cyrillic(commandLevel: level)
        bench.vc.commands = commands
        bench.vc.implemented = Set(commands.map(\.action.name))
        return try bench.press(chord).action?.name
    }

    @Test("MT-5 Latin shortcuts match under Command; without a command level they do not")
    func latin() throws {
        #expect(try action([command("w", .command, "close")], "cmd+w") == "close")
        #expect(try action([command("w", .command, "close")], "cmd+w", level: false) == nil)
        #expect(try action([command("W", [.command, .shift], "all")], "shift+cmd+w") == "all")
        #expect(try action([command("w", .control, "close")], "ctrl+w") == nil, "only Command has that level")
    }

    @Test("MT-5 what the key types is compared too, and comes first")
    func both() throws {
        #expect(try action([command("ц", .command, "own")], "cmd+w") == "own")
        #expect(try action([command("w", .command, "latin"), command("ц", .command, "own")], "cmd+w") == "own")
    }

    @Test("MT-5 MT-3 Shift is consumed at the command level as well")
    func shifted() throws {
        #expect(try action([command("?", .command, "help")], "shift+cmd+/") == "help")
        #expect(try action([command("{", .command, "brace")], "shift+cmd+[") == "brace")
        #expect(try action([command("[", [.command, .shift], "bracket")], "shift+cmd+[") == "bracket")
    }

    @Test("MT-5 every cache policy matches it alike", arguments: CachePolicy.allCases)
    func policies(policy: CachePolicy) throws {
        let bench = try Bench("ios15", cache: policy)
        bench.engine.layout = try cyrillic()
        bench.vc.commands = [
            command("w", .command, "latin"), command("ц", .command, "own"), command("2", .command, "two"),
        ]
        bench.vc.implemented = ["latin", "own", "two"]
        let resolution = try bench.press("cmd+w")
        #expect(resolution.action == "own" && resolution.shadowed.map(\.action) == ["latin"])
        #expect(try bench.press("cmd+2").shadowed.isEmpty, "a key that stands for one character is found once")
    }

    @Test("MT-5 the system's own keys go by it: copy, undo, the reserved ones, and period is Escape")
    func system() throws {
        let bench = try Bench("ios15")
        bench.engine.layout = try cyrillic()
        bench.vc.implemented = ["copy:", "cancel"]
        bench.vc.commands = [command(KeyCommand.inputEscape, [], "cancel")]
        #expect(try bench.press("cmd+c").action == "copy:")
        #expect(try bench.press("cmd+.").action == "cancel")
        #expect(try bench.press("cmd+h").receivers.isEmpty)
        let field = bench.addTextField()
        try bench.press("c")
        #expect(field.text == "с")
        try bench.press("cmd+z")
        #expect(field.text.isEmpty)
    }

    @Test("MT-13 on AZERTY the screenshot keys are reserved by the digit that Shift types")
    func azerty() throws {
        let bench = try Bench("ios15", layout: "fr")
        #expect(try bench.press("shift+cmd+3").receivers.isEmpty)
        #expect(try bench.press("shift+cmd+5").receivers.count == 5)
    }
}
