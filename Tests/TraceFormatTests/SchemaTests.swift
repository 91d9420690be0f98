import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat

@Suite struct SchemaTests {
    @Test func `kinds are unique, numbers and names alike`() {
        #expect(Set(RecordSchema.all.map(\.number)).count == RecordSchema.all.count)
        #expect(Set(RecordSchema.all.map(\.name)).count == RecordSchema.all.count)
        for schema in RecordSchema.all {
            #expect((1..<112).contains(schema.number), "\(schema.name)")
            #expect(RecordKind(name: schema.name) == schema.kind)
            #expect(!schema.fields.isEmpty, "\(schema.name)")
        }
    }

    @Test func `every case of an enum has a name of its own`() {
        func check<C: NamedCase & Hashable>(_: C.Type) {
            #expect(C.names.count == C.allCases.count && Set(C.names).count == C.names.count, "\(C.self)")
            for value in C.allCases { #expect(C(name: value.name) == value && value.name == "\(value)") }
        }
        check(KeyPhase.self)
        check(TextKeyClass.self)
        check(LatencyStage.self)
        check(TraceForm.self)
        check(TraceLevel.self)
        check(FocusCause.self)
        check(InvalidationScope.self)
        check(LossCause.self)
        check(KeyboardFrameState.self)
        check(KeyboardFrameCause.self)
        check(CandidateVerdict.self)
        check(CallKind.self)
        check(CallOccasion.self)
        check(AnswerCode.self)
        check(InvocationAnswerCode.self)
        for kind in InvocationKind.allCases {
            #expect(kind.name == "\(kind)" && InvocationKind(name: kind.name) == kind)
        }
    }

    @Test func `names are snake_case and times carry their unit`() {
        for schema in RecordSchema.all {
            for name in [schema.name] + schema.fields.map(\.name) {
                #expect(name.utf8.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) }, "\(schema.name).\(name)")
            }
            #expect(Set(schema.fields.map(\.name)).count == schema.fields.count, "\(schema.name)")
            for field in schema.fields where field.type == .signed || field.name.contains("duration") {
                let hasUnit = ["_ns", "_ppb", "_mpt"].contains { field.name.hasSuffix($0) }
                #expect(hasUnit, "\(schema.name).\(field.name)")
            }
        }
    }

    @Test func `every record of a generated trace has a kind of the table, and every kind is generated`() {
        let recording = RecordingGenerator.recording(seed: 1, records: 2000, version: TraceLimits.invocationVersion)
        let kinds = Set(recording.records.compactMap(\.body.kind))
        #expect(kinds == Set(RecordSchema.all.map(\.kind).filter { !$0.isContextOnly }))
    }

    @Test func `the specification lists every kind and field as the table has them`() throws {
        let document = try Specification.text()
        for schema in RecordSchema.all {
            let section = Specification.section(of: schema)
            let table = Specification.table(of: schema)
            let start = try #require(document.firstRange(of: section), "\(section)")
            let rest = document[start.upperBound...]
            let next = rest.firstRange(of: "\n#")?.lowerBound ?? rest.endIndex
            #expect(rest[..<next].contains(table), "\(section) should have this table:\n\(table)")
        }
    }

    @Test func `the specification names every limit by its number`() throws {
        let document = try Specification.text()
        for limit in [
            TraceLimits.stringBytes, TraceLimits.tableBytes, TraceLimits.stacksBytes, TraceLimits.nameBytes,
            TraceLimits.chainResponders,
            TraceLimits.recordBytes, TraceLimits.blockBytes, TraceLimits.blockTarget,
            TraceLimits.contextBytes, TraceLimits.heldKeys, TraceLimits.modifierKeyboards, TraceLimits.listCommands,
            TraceLimits.damages, TraceLimits.lineBytes, Int(TraceLimits.liveBlockSpan),
        ] {
            #expect(document.contains("| \(limit) |"), "\(limit)")
        }
        #expect(document.contains("versions \(TraceLimits.version) and \(TraceLimits.invocationVersion)"))
    }

    @Test func `the annotated bytes of the specification are those that the writer produces`() throws {
        let bytes = try Specification.annotatedBytes()
        #expect(bytes == (try Specification.example()))
        let (recording, report) = try Recording.read(bytes)
        #expect(report.complete)
        #expect(recording.records.count == 6)
        let traceText = try textFormat(of: bytes)
        #expect(try Specification.text().contains(traceText), "the text format:\n\(traceText)")
    }
}
