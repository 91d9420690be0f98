import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat

/// Every prefix and every changed byte of the frozen files and their texts: no trap, and never `complete` when
/// something was lost. Debug builds, which take twenty times as long, try one place in so many.
@Suite struct ExhaustiveDamageTests {
    static let step = isOptimisedBuild ? 1 : 41

    @Test(arguments: CompatibilityTests.names)
    func `no part of a frozen file passes for the whole`(name: String) throws {
        let bytes = try RepositoryFile.bytes(CompatibilityTests.folder + name + ".keyflight")
        for length in stride(from: 1, to: bytes.count, by: Self.step) {
            guard let reader = try? TraceReader(Array(bytes[..<length])) else { continue }
            #expect(!Self.read(reader).complete, "prefix \(length)")
        }
    }

    @Test(arguments: CompatibilityTests.names)
    func `no frozen file with a changed byte passes for the whole`(name: String) throws {
        let bytes = try RepositoryFile.bytes(CompatibilityTests.folder + name + ".keyflight")
        for index in stride(from: 0, to: bytes.count, by: Self.step) {
            for mask in [0x01, 0x80, UInt8(truncatingIfNeeded: index &* 37) | 2] {
                var changed = bytes
                changed[index] ^= mask
                guard let reader = try? TraceReader(changed) else { continue }
                let report = Self.read(reader)
                #expect(!report.complete, "byte \(index) ^ \(mask)")
                #expect(!report.damages.isEmpty, "byte \(index) ^ \(mask)")
            }
        }
    }

    /// Checksums do not protect what is changed with them: whatever stands in a block, reading ends and says so.
    @Test(arguments: CompatibilityTests.names)
    func `payloads with changed bytes and right checksums are read to an end`(name: String) throws {
        let bytes = try RepositoryFile.bytes(CompatibilityTests.folder + name + ".keyflight")
        var offset = 28
        while let header = try? bytes.withUnsafeBytes({ try TraceFrame.block($0, at: offset) }) {
            let start = offset + TraceFrame.blockHeaderLength
            let payload = Array(bytes[start..<start + header.length])
            for index in stride(from: 0, to: payload.count, by: Self.step) {
                for mask in [0x01, 0x40, 0xFF] as [UInt8] {
                    var changed = payload
                    changed[index] ^= mask
                    let block = HostileTrace.block(
                        changed, count: header.count, sequence: header.firstSequence, time: header.firstTime,
                        kind: header.kind, flags: header.flags, kinds: header.kinds)
                    guard let reader = try? TraceReader(Array(bytes[..<offset]) + block) else { continue }
                    #expect(!Self.read(reader).complete)
                }
            }
            offset = start + header.length
        }
    }

    @Test(arguments: CompatibilityTests.names)
    func `texts cut short are refused, and changed ones are refused or mean something else`(name: String) throws {
        let text = try RepositoryFile.bytes(CompatibilityTests.folder + name + ".txt")
        let whole = try? assembled(text)
        for length in stride(from: 0, to: text.count - 1, by: Self.step * 7) {
            #expect((try? assembled(Array(text[..<length]))) == nil, "prefix \(length)")
        }
        for index in stride(from: 0, to: text.count, by: Self.step * 7) {
            var changed = text
            changed[index] ^= UInt8(1 << (index % 7))
            guard let other = try? assembled(changed), other == whole else { continue }
            // The same trace: only where the change says nothing, such as the form, or an empty line.
            let line = changed[..<index].lastIndex(of: 0x0A).map { Array(changed[($0 + 1)...].prefix(1)) }
            #expect(index < 80 || line == [0x23] || changed[index] == 0x0A || changed[index] == 0x0D, "byte \(index)")
        }
    }

    private static func read(_ reader: TraceReader) -> ReadingReport {
        var reader = reader
        while reader.next() != nil {}
        return reader.report
    }
}
