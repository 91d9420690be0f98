import KeyLayout
import KeyModel
import Libc
import TestRequirements
import Testing

/// Without xkb-data there is nothing to compare with: those tests are skipped, the shipped layouts are still tested.
@Suite("The shipped layouts")
struct ShippedLayoutsTests {
    @Test("are Apple's us, fr, de and us:dvorak and their PC tables, each under its own name")
    func names() throws {
        #expect(
            ShippedLayouts.names
                == ["us", "fr", "de", "us:dvorak", "us:pc", "fr:pc", "de:pc", "us:dvorak-pc"])
        for name in ShippedLayouts.names { #expect(ShippedLayouts.named(name)?.name == name) }
        #expect(ShippedLayouts.named("gb") == nil)
    }

    @Test("of PCs equal what XKB gives", .needs("the package xkb-data", { XKBLayouts.areInstalled }))
    func equalXKB() throws {
        for name in ["us", "fr", "de", "us:dvorak"] {
            var derived = try XKBLayouts.named(name)
            derived.name += name.contains(":") ? "-pc" : ":pc"
            if wantsRecording {
                try record(derived.text, in: "\(derived.name.replacing(":", with: "-")).layout")
            } else {
                #expect(
                    ShippedLayouts.named(derived.name)?.text == derived.text,
                    "run KEYFLIGHT_RECORD=layouts swift test --filter ShippedLayoutsTests and review the change")
            }
        }
    }

    @Test("are preferred, others are derived")
    func lookup() throws {
        #expect(try Layout.named("de") == ShippedLayouts.named("de"))
        if XKBLayouts.areInstalled { #expect(try Layout.named("gb").name == "gb") }
    }

    private var wantsRecording: Bool { getenv("KEYFLIGHT_RECORD").map { String(cString: $0) } == "layouts" }

    private func record(_ text: String, in file: String) throws {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let stream = try #require(fopen("/\(package)/Sources/KeyLayout/Shipped/\(file)", "w"))
        defer { fclose(stream) }
        #expect(fputs(text, stream) >= 0)
    }
}
