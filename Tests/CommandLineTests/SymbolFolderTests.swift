import Foundation
import Testing

@testable import keyflight

/// Functions that a stripped program leaves without a name, named from an unstripped file of the same build.
@Suite struct SymbolFolderTests {
    private static let build = "0123abcd"

    private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    /// An ELF file with a build-id, a table of symbols and their names.
    private static func file(_ symbols: [(name: String, value: UInt64, size: UInt64, kind: UInt8)]) -> [UInt8] {
        let note = little(4, 4) + little(4, 4) + little(3, 4) + Array("GNU\0".utf8) + [0x01, 0x23, 0xAB, 0xCD]
        var (names, table) = ([UInt8(0)], [UInt8](repeating: 0, count: 24))
        for symbol in symbols {
            table += little(UInt64(names.count), 4) + [symbol.kind, 0] + little(1, 2) + little(symbol.value, 8)
            table += little(symbol.size, 8)
            names += Array(symbol.name.utf8) + [0]
        }
        func section(_ type: UInt64, _ offset: Int, _ size: Int, link: UInt64 = 0, entry: UInt64 = 0) -> [UInt8] {
            little(0, 4) + little(type, 4) + little(0, 16) + little(UInt64(offset), 8) + little(UInt64(size), 8)
                + little(link, 4) + little(0, 12) + little(entry, 8)
        }
        let start = 64 + note.count + table.count + names.count
        let head = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + little(0, 34) + little(UInt64(start), 8) + little(0, 10)
            + little(64, 2) + little(4, 2) + little(0, 2)
        return head + note + table + names
            + section(0, 0, 0) + section(7, 64, note.count)
            + section(2, 64 + note.count, table.count, link: 3, entry: 24)
            + section(3, 64 + note.count + table.count, names.count)
    }

    private static let symbols: [(String, UInt64, UInt64, UInt8)] = [
        ("late", 0x3000, 0x10, 2), ("spin", 0x2F10, 0x40, 0x12), ("alias", 0x2F10, 0x40, 2), ("table", 0x2F18, 8, 1),
    ]

    @Test func aFunctionIsTheSymbolThatContainsItsAddress() throws {
        try Files.withFolder { folder in
            try Files.write(Self.file(Self.symbols), to: folder + "/a.debug")
            let found = try SymbolFolder(folder, of: [Self.build])
            #expect(found.builds == [Self.build])
            for (address, name) in [(0x2F10, "spin"), (0x2F4F, "spin"), (0x2F50, nil), (0x3008, "late"), (0x10, nil)]
                as [(UInt64, String?)]
            {
                #expect(found.name(Self.build, address) == name, "\(address)")
            }
            #expect(found.name("00", 0x2F10) == nil)
            #expect(try SymbolFolder(folder, of: ["ffff"]).builds.isEmpty)
        }
    }

    /// What is cut or changed anywhere gives other names, or none, and no trap.
    @Test func damagedFiles() throws {
        let whole = Self.file(Self.symbols)
        try Files.withFolder { folder in
            for length in whole.indices {
                try Files.write(Array(whole[..<length]), to: folder + "/a.debug")
                #expect(try SymbolFolder(folder, of: [Self.build]).builds.isEmpty, "\(length) bytes")
            }
            for place in whole.indices {
                for change in [0x01, 0x80, 0xFF] as [UInt8] {
                    var bytes = whole
                    bytes[place] ^= change
                    try Files.write(bytes, to: folder + "/a.debug")
                    _ = try SymbolFolder(folder, of: [Self.build]).name(Self.build, 0x2F20)
                }
            }
        }
    }

    @Test func explainNamesAFunctionOfAStrippedProgram() throws {
        try Files.withFolder { folder in
            let text = Files.text(Files.path("Traces/compatibility/v2/samples.txt"))
                .replacing("f 0 2f10 -[Notes save:]", with: "f 0 2f10")
            let trace = folder + "/stripped.keyflight"
            let made = CommandRun(["assemble", "-", "-o", trace], stdin: Array(text.utf8))
            try #require(made.status == 0, "\(made.notes)")
            #expect(CommandRun("explain", trace, "--press", "2").text.contains("Notes+0x2f10"))
            let symbols = folder + "/symbols"
            try FileManager.default.createDirectory(
                atPath: symbols + "/.build-id/01", withIntermediateDirectories: true)
            try Files.write(Self.file(Self.symbols), to: symbols + "/.build-id/01/23abcd.debug")
            let named = CommandRun("explain", trace, "--press", "2", "--symbols", symbols)
            #expect(named.status == 0 && named.text.contains(" spin "), "\(named.text)")
            #expect(!named.text.contains("0x2f10"))
            let json = CommandRun("explain", trace, "--press", "2", "--symbols", symbols, "--format", "json").text
            #expect(json.contains("\"name\":\"spin\",\"module\":\"Notes\""), "\(json)")
            // Of another build nothing is named.
            let other = CommandRun("explain", trace, "--press", "2", "--symbols", "/usr/share/misc")
            #expect(other.status == 3 && other.notes.contains("build-id 0123abcd, found none"), "\(other.notes)")
            let none = CommandRun("explain", trace, "--press", "2", "--symbols", folder + "/none")
            #expect(none.status == 2 && none.notes.contains("--symbols: expected a folder"), "\(none.notes)")
        }
    }
}
