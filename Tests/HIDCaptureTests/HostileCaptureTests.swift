import HIDCapture
import KeyModel
import SystemPackage
import Testing

/// Every file of Traces/hostile whose name begins with `capture-` or `descriptor-` gives exactly what stands here.
struct HostileCaptureTests {
    static let folder = RepositoryFiles.root + "/Traces/hostile"
    static let names = RepositoryFiles.names(in: folder)

    @Test(
        "every hostile capture gives its expected result (HC-38)", arguments: names.filter { $0.hasPrefix("capture-") })
    func capture(_ name: String) throws {
        let bytes = try RepositoryFiles.bytes(of: HostileCaptureTests.folder + "/" + name)
        let expected = HostileExpectations.captures[name] ?? HostileExpectations.recordings[name]
        #expect(HostileCaptureTests.outcome(bytes) == expected)
    }

    @Test("every hostile report descriptor gives its expected result (HC-37)",
        arguments: names.filter { $0.hasPrefix("descriptor-") })
    func descriptor(_ name: String) throws {
        let bytes = try RepositoryFiles.bytes(of: HostileCaptureTests.folder + "/" + name)
        #expect(HostileCaptureTests.outcome(descriptor: bytes) == HostileExpectations.descriptors[name])
    }

    @Test("every expectation has its file")
    func noExpectationWithoutFile() {
        let known = Set(HostileCaptureTests.names)
        let expected =
            Array(HostileExpectations.captures.keys) + HostileExpectations.recordings.keys
            + HostileExpectations.descriptors.keys
        #expect(expected.filter { !known.contains($0) } == [])
    }

    @Test("reading from a descriptor and from memory give the same")
    func sameFromDescriptor() throws {
        for name in HostileCaptureTests.names where name.hasPrefix("capture-") {
            let path = HostileCaptureTests.folder + "/" + name
            let bytes = try RepositoryFiles.bytes(of: path)
            #expect(RepositoryFiles.outcome(ofFile: path) == HostileCaptureTests.outcome(bytes), "\(name)")
        }
    }

    /// One line: who pressed how much, what is damaged; or the error.
    static func outcome(_ bytes: [UInt8]) -> String {
        do throws(CaptureError) {
            return outcome(try Capture(bytes: bytes))
        } catch {
            return HostileCaptureTests.withoutLibpcapWords("error: \(error)")
        }
    }

    /// libpcap's own words change from version to version, so only what is ours is compared.
    static func withoutLibpcapWords(_ line: String) -> String {
        for mark in ["libpcap reads, found ", "packet 7: ", "packet 8: "] {
            if let at = line.firstRange(of: mark) { return line[..<at.upperBound] + "…" }
        }
        return line
    }

    static func outcome(_ capture: Capture) -> String {
        var downs: [String] = []
        let totals = capture.forEachBatch { events in
            for event in events where event.phase == .down { downs.append(event.key.usage?.chordName ?? "?") }
        }
        let synthetic = totals.devices.reduce(0) { $0 + $1.syntheticReleases }
        var line = capture.devices.isEmpty ? "no keyboard" : downs.joined(separator: " ")
        if synthetic > 0 { line += ", \(synthetic) held" }
        if let damage = capture.facts.damage {
            line += "; byte \(damage.offset): \(damage.reason)"
            if let lost = damage.lostPackets { line += ", \(lost) lost" }
        }
        for refusal in capture.facts.refusedDescriptors { line += "; \(refusal)" }
        line += losses(capture.facts)
        return withoutLibpcapWords(line)
    }

    /// What is known to be missing of the keys, besides the damage.
    private static func losses(_ facts: CaptureFacts) -> String {
        var line = ""
        if facts.cutReports > 0 { line += "; \(facts.cutReports) cut" }
        if facts.reportsOfExcessStreams > 0 { line += "; \(facts.reportsOfExcessStreams) beyond the limit" }
        if facts.sourceDrops.times > 0 { line += "; \(facts.sourceDrops.count.map(String.init) ?? "unknown") dropped" }
        return line
    }

    static func outcome(descriptor bytes: [UInt8]) -> String {
        do throws(ReportDescriptor.Refusal) {
            let descriptor = try ReportDescriptor(bytes)
            var keys = PressedKeys()
            let report: [UInt8] = [0x02, 0, 4, 5, 0, 0, 0, 0]
            let read = report.withUnsafeBytes { descriptor.read($0, into: &keys) }
            let names = keys.usages.map(\.chordName).joined(separator: " ")
            let pressed = names.isEmpty ? "no key" : names
            return "\(descriptor.fields.count) fields; " + (read == nil ? "no report" : pressed)
        } catch {
            return "\(error)"
        }
    }
}
