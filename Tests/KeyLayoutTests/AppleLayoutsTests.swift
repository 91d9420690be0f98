import KeyLayout
import KeyModel
import Testing

/// Apple's layouts as published: the rows of the keyboard from the key left of 1, or left of Z on ISO layouts, to the
/// key right of the full stop, at the levels plain, Shift, Option, Shift and Option; then the dead keys in that order.
/// Sources: `ShippedLayouts`.
@Suite("Apple's layouts")
struct AppleLayoutsTests {
    private static let published: [(name: String, levels: [String], dead: String)] = [
        (
            "us",
            [
                "`1234567890-=qwertyuiop[]\\asdfghjkl;'§zxcvbnm,./",
                "~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:\"±ZXCVBNM<>?",
                "`¡™£¢∞§¶•ªº–≠œ∑´®†¥¨ˆøπ“‘«åß∂ƒ©˙∆˚¬…æ§Ω≈ç√∫˜µ≤≥÷",
                "`⁄€‹›ﬁﬂ‡°·‚—±Œ„´‰ˇÁ¨ˆØ∏”’»ÅÍÎÏ˝ÓÔ\u{F8FF}ÒÚÆ±¸˛Ç◊ı˜Â¯˘¿",
            ], "`´¨ˆ˜"
        ),
        (
            "us:dvorak",
            [
                "`1234567890[]',.pyfgcrl/=\\aoeuidhtns-§;qjkxbmwvz",
                "~!@#$%^&*(){}\"<>PYFGCRL?+|AOEUIDHTNS_±:QJKXBMWVZ",
                "`¡™£¢∞§¶•ªº“‘æ≤≥π¥ƒ©ç®¬÷≠«åø´¨ˆ∂˙†˜ß–§…œ∆˚≈∫µ∑√Ω",
                "`⁄€‹›ﬁﬂ‡°·‚”’Æ¯˘∏ÁÏ˝Ç‰Ò¿±»ÅØ´¨ˆÎÓˇ˜Í—±ÚŒÔ\u{F8FF}˛ıÂ„◊¸",
            ], "`´¨ˆ˜"
        ),
        (
            "de",
            [
                "<1234567890ß´qwertzuiopü+#asdfghjklöä^yxcvbnm,.-",
                ">!\"§$%&/()=?`QWERTZUIOPÜ*'ASDFGHJKLÖÄ°YXCVBNM;:_",
                "≤¡“¶¢[]|{}≠¿'«∑€®†Ω¨⁄øπ•±‘å‚∂ƒ©ªº∆@œæ„¥≈ç√∫~µ∞…–",
                "≥¬”#£ﬁ^\\˜·¯˙˚»„‰¸˝ˇÁÛØ∏°\u{F8FF}’ÅÍ™ÏÌÓıˆﬂŒÆ“‡ÙÇ◊‹›˘˛÷—",
            ], "´^`¨~^"
        ),
        (
            "fr",
            [
                "<&é\"'(§è!çà)-azertyuiop^$`qsdfghjklmù@wxcvbn,;:=",
                ">1234567890°_AZERTYUIOP¨*£QSDFGHJKLM%#WXCVBN?./+",
                "≤\u{F8FF}ë“‘{¶«¡Çø}—æÂê®†Úºîœπô€@‡Ò∂ƒﬁÌÏÈ¬µÙ•‹≈©◊ß~∞…÷≠",
                "≥´„”’[å»ÛÁØ]–ÆÅÊ‚™ŸªïŒ∏Ô¥#Ω∑∆·ﬂÎÍË|Ó‰Ÿ›⁄¢√∫ı¿•\\±",
            ], "^`¨~´"
        ),
    ]

    /// Usages of a row text. The first key and the one left of Z change places between ANSI and ISO.
    private static func usages(of name: String) -> [UInt16] {
        let isISO = name == "de" || name == "fr"
        let letters = { (row: String) in row.utf8.map { UInt16($0) - 0x61 + 4 } }
        return [isISO ? 0x64 : 0x35] + Array(0x1E...0x27) + [0x2D, 0x2E] + letters("qwertyuiop") + [0x2F, 0x30, 0x31]
            + letters("asdfghjkl") + [0x33, 0x34] + [isISO ? 0x35 : 0x64] + letters("zxcvbnm") + [0x36, 0x37, 0x38]
    }

    @Test("§2.3 every cell is the published one", arguments: published.indices)
    func cells(index: Int) throws {
        let (name, levels, dead) = Self.published[index]
        let layout = try #require(ShippedLayouts.named(name))
        let usages = Self.usages(of: name)
        var deadFound = ""
        for (level, row) in levels.enumerated() {
            #expect(row.count == usages.count)
            for (usage, character) in zip(usages, row) {
                switch layout.keys[usage]?.symbols[level] {
                case .text(let text): #expect(text == String(character), "\(name) \(usage.hexadecimal(2)) \(level)")
                case .dead(let accent):
                    deadFound.append(character)
                    // A dead key before Space types the accent itself.
                    #expect(layout.compose[[.dead(accent), .text(" ")]] == String(character))
                default: Issue.record("\(name) \(usage.hexadecimal(2)) types nothing at level \(level)")
                }
            }
        }
        #expect(deadFound == dead)
        #expect(layout.keys[0x32] == layout.keys[0x31])
    }

    @Test("§2.3 ⌥5 on de, ⌥A and ⌥E on us, ⌥Space and dead accents are Apple's")
    func examples() throws {
        let (us, de) = (try #require(ShippedLayouts.named("us")), try #require(ShippedLayouts.named("de")))
        #expect(de.symbol(for: .keyboard(0x22), modifiers: .option) == .text("["))
        #expect(us.symbol(for: .keyboard(0x04), modifiers: .option) == .text("å"))
        #expect(us.symbol(for: .keyboard(0x08), modifiers: .option) == .dead("dead_acute"))
        for name in ["us", "fr", "de", "us:dvorak"] {
            let layout = try #require(ShippedLayouts.named(name))
            for modifiers in [KeyModifiers.option, [.option, .shift]] {
                #expect(layout.symbol(for: .spacebar, modifiers: modifiers) == .text("\u{A0}"))
            }
        }
        #expect(de.compose[[.dead("dead_acute"), .text(" ")]] == "´")
        #expect(us.compose[[.dead("dead_acute"), .text("e")]] == "é")
        #expect(us.compose[[.dead("dead_circumflex"), .text(" ")]] == "ˆ")
        #expect(de.compose[[.dead("dead_circumflex"), .text(" ")]] == "^")
    }

    /// With Caps Lock: plain, Option; with Shift as well they are the rows of Shift.
    private static let capsLocked: [(name: String, levels: [String], dead: String)] = [
        (
            "us",
            [
                "`1234567890-=QWERTYUIOP[]\\ASDFGHJKL;'§ZXCVBNM,./",
                "`¡™£¢∞§¶•ªº–≠Œ∑´®†Á¨ˆØ∏“‘«ÅÍÎÏ©ÓÔ˚Ò…Æ§Ω≈Ç√ı˜Â≤≥÷",
            ], ""
        ),
        (
            "us:dvorak",
            [
                "`1234567890[]',.PYFGCRL/=\\AOEUIDHTNS-§;QJKXBMWVZ",
                "`¡™£¢∞§¶•ªº“‘Æ≤≥∏ÁÏ©Ç®Ò÷≠«ÅØ´¨ˆÎÓ†˜Í–§…ŒÔ˚≈ıÂ∑√Ω",
            ], ""
        ),
        (
            "de",
            [
                "<1234567890ß´QWERTZUIOPÜ+#ASDFGHJKLÖÄ^YXCVBNM,.-",
                "≤¡“¶¢[]|{}≠¿'«∑€®†Ω¨⁄Ø∏•±‘Å‚∂ƒ©ªº∆@ŒÆ„¥≈Ç√∫~µ∞…–",
            ], "´^¨~"
        ),
        (
            "fr",
            [
                "<&É\"'(§È!çÀ)-AZERTYUIOP^$`QSDFGHJKLMù@WXCVBN,;:=",
                "≤\u{F8FF}ë“‘{¶«¡Çø}—ÆÅÊ®™ŸªïŒ∏ô€@Ω∑∆·ﬂÎÍË|ÓÙ•›⁄¢√∫ı∞…÷≠",
            ], "^`"
        ),
    ]

    @Test("§2.3 every cell under Caps Lock is the published one", arguments: capsLocked.indices)
    func cellsUnderCapsLock(index: Int) throws {
        let (name, levels, dead) = Self.capsLocked[index]
        let layout = try #require(ShippedLayouts.named(name))
        var deadFound = ""
        for (modifiers, row) in zip([KeyModifiers.capsLock, [.capsLock, .option]], levels) {
            #expect(row.count == Self.usages(of: name).count)
            for (usage, character) in zip(Self.usages(of: name).map(KeyUsage.keyboard), row) {
                switch layout.symbol(for: usage, modifiers: modifiers) {
                case .text(let text): #expect(text == String(character), "\(name) \(usage)")
                case .dead(let accent):
                    deadFound.append(character)
                    #expect(layout.compose[[.dead(accent), .text(" ")]] == String(character))
                case .none: Issue.record("\(name) \(usage) types nothing")
                }
                let shifted = modifiers.union(.shift)
                let without = shifted.subtracting(.capsLock)
                #expect(layout.symbol(for: usage, modifiers: shifted) == layout.symbol(for: usage, modifiers: without))
            }
        }
        #expect(deadFound == dead)
    }

    @Test("§2.3 Caps Lock reaches level 3 on the keys on which Apple's does")
    func capsLock() throws {
        let us = try #require(ShippedLayouts.named("us"))
        let flags: KeyModifiers = [.option, .capsLock]
        #expect(us.symbol(for: .keyboard(0x04), modifiers: flags) == .text("Å"))
        #expect(us.symbol(for: .keyboard(0x1A), modifiers: flags) == .text("∑"))
        #expect(us.symbol(for: .keyboard(0x1A), modifiers: [.option, .capsLock, .shift]) == .text("„"))
        #expect(us.symbol(for: .keyboard(0x1A), modifiers: .capsLock) == .text("W"))
        #expect(try Layout(text: us.text) == us)
    }
}
