import KeyLayout
import KeyModel
import TestRequirements
import Testing

@Suite("A layout from XKB", .needs("the package xkb-data", { XKBLayouts.areInstalled }))
struct XKBLayoutsTests {
    @Test("an unknown layout or variant says where the known ones are listed", arguments: ["xx", "us:zz", "de:"])
    func unknown(name: String) {
        let error = #expect(throws: LayoutError.self) { try XKBLayouts.named(name) }
        let message = error?.description ?? ""
        #expect(message.contains("layout \(name): expected"))
        #expect(message.contains("base.lst") || message.contains("us:dvorak"))
    }

    @Test(
        "a name that could be a path, a list or a rule is refused",
        arguments: ["", "../symbols/us", "us,fr", "us+fr", "us(dvorak)", "us:dvorak:x", "us ", "us\n", "%E"])
    func malformed(name: String) {
        #expect(throws: LayoutError.self) { try XKBLayouts.named(name) }
    }

    @Test("capturing on Dvorak reads as Dvorak")
    func dvorak() throws {
        let layout = try XKBLayouts.named("us:dvorak")
        #expect(layout.plainText(for: .keyboard(0x07)) == "e")
        #expect(layout.shiftedText(for: .keyboard(0x14)) == "\"")
    }
}

@Suite("The command level", .needs("the package xkb-data", { XKBLayouts.areInstalled }))
struct CommandLevelLayoutTests {
    @Test(
        "MT-5 layouts without Latin letters have the US characters under Command", arguments: ["ru", "gr", "ua", "il"])
    func derived(name: String) throws {
        let layout = try Layout.named(name)
        #expect(layout.commandLevel[0x1A] == Layout.CommandTexts(plain: "w", shifted: "W"))
        #expect(layout.commandLevel[0x16]?.plain == "s")
        #expect(try Layout(text: layout.text) == layout, "a trace that stores the layout stores it too")
    }

    @Test("MT-5 layouts with Latin letters have none", arguments: ["us", "fr", "de", "us:dvorak", "tr"])
    func latin(name: String) throws {
        #expect(try Layout.named(name).commandLevel.isEmpty)
    }
}

@Suite("What a PC layout types")
struct LayoutBehaviourTests {
    let us = ShippedLayouts.named("us:pc") ?? Layout(name: "us:pc")
    let fr = ShippedLayouts.named("fr:pc") ?? Layout(name: "fr:pc")
    let de = ShippedLayouts.named("de:pc") ?? Layout(name: "de:pc")

    @Test("hid-capture §7: usages map to XKB keys through the kernel's table")
    func positions() {
        #expect(us.plainText(for: .keyboard(0x04)) == "a")
        #expect(fr.plainText(for: .keyboard(0x04)) == "q")
        #expect(de.plainText(for: .keyboard(0x1C)) == "z")
        #expect(us.plainText(for: .spacebar) == " ")
        #expect(de.plainText(for: .keyboard(0x64)) == "<")
        #expect(us.plainText(for: .keyboard(0x59)) == "1", "Num Lock is on")
        #expect(de.plainText(for: .keyboard(0x63)) == ",")
    }

    @Test("keys that type no character are absent")
    func silentKeys() {
        for usage in [KeyUsage.returnOrEnter, .escape, .tab, .deleteOrBackspace, .leftArrow, .keypadEnter, .leftShift] {
            #expect(us.symbol(for: usage, modifiers: []) == .none)
            #expect(us.keys[usage.usage] == nil)
        }
    }

    @Test("Option gives no level 3 on us:pc, so the base symbol")
    func optionOnUS() {
        #expect(us.keys[0x04]?.symbols[2] == Layout.Symbol.none)
        #expect(us.symbol(for: .keyboard(0x04), modifiers: .option) == .text("a"))
        #expect(de.symbol(for: .keyboard(0x14), modifiers: .option) == .text("@"))
    }

    @Test("Caps Lock swaps the levels of letters only")
    func capsLock() {
        #expect(us.symbol(for: .keyboard(0x04), modifiers: .capsLock) == .text("A"))
        #expect(us.symbol(for: .keyboard(0x04), modifiers: [.capsLock, .shift]) == .text("a"))
        #expect(us.symbol(for: .keyboard(0x1E), modifiers: .capsLock) == .text("1"))
        #expect(fr.symbol(for: .keyboard(0x1F), modifiers: .capsLock) == .text("é"))
    }

    @Test("dead keys and compose sequences come along")
    func deadKeys() {
        #expect(fr.symbol(for: .keyboard(0x2F), modifiers: []) == .dead("dead_circumflex"))
        #expect(fr.compose[[.dead("dead_circumflex"), .text("e")]] == "ê")
        #expect(us.compose.isEmpty)
        for layout in [fr, de] {
            let symbols = Set(layout.keys.values.flatMap(\.symbols))
            for sequence in layout.compose.keys {
                #expect(sequence.allSatisfy(symbols.contains))
                guard case .dead = sequence[0] else {
                    Issue.record("a sequence begins without a dead key")
                    continue
                }
            }
        }
    }

    @Test("typing finds the key, Shift, level 3 or a dead key before it")
    func strokes() {
        #expect(us.keyStrokes(typing: "a") == [KeyStroke(usage: .keyboard(0x04), modifiers: [])])
        #expect(us.keyStrokes(typing: "?") == [KeyStroke(usage: .keyboard(0x38), modifiers: .shift)])
        #expect(de.keyStrokes(typing: "@") == [KeyStroke(usage: .keyboard(0x14), modifiers: .option)])
        #expect(
            fr.keyStrokes(typing: "ê") == [
                KeyStroke(usage: .keyboard(0x2F), modifiers: []), KeyStroke(usage: .keyboard(0x08), modifiers: []),
            ])
        #expect(us.keyStrokes(typing: "é") == nil)
        #expect(us.keyStrokes(typing: "👩‍👩‍👧") == nil)
    }

    @Test("typing prefers keys that every keyboard has")
    func mainKeysFirst() {
        #expect(us.keyStrokes(typing: "1") == [KeyStroke(usage: .keyboard(0x1E), modifiers: [])])
        #expect(us.keyStrokes(typing: "<") == [KeyStroke(usage: .keyboard(0x36), modifiers: .shift)])
        #expect(de.keyStrokes(typing: "<") == [KeyStroke(usage: .keyboard(0x64), modifiers: [])])
        #expect(de.keyStrokes(typing: "#") == [KeyStroke(usage: .keyboard(0x31), modifiers: [])])
    }

    @Test("every character that typing finds is what the keys give")
    func strokesAreRight() {
        for layout in [us, fr, de] {
            var found = 0
            for key in layout.keys.values {
                for case .text(let text) in key.symbols {
                    let strokes = text.first.flatMap { layout.keyStrokes(typing: $0) }
                    guard let strokes else { continue }
                    found += 1
                    #expect(strokes.count == 1)
                    #expect(layout.symbol(for: strokes[0].usage, modifiers: strokes[0].modifiers) == .text(text))
                }
            }
            #expect(found > 90, "\(layout.name)")
        }
    }
}
