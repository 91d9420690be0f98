import KeyModel
import TraceFormat

/// The parts of one trace, to be put together by their sequence numbers.
struct PartsOfTrace {
    private let sources: [TraceBytes]
    private let text: TraceSource.Text
    private let header: TraceHeader

    /// `nil` unless they are: no sequence number comes twice, the times follow them, and each part begins with what
    /// the parts before it add up to.
    init?(_ sources: [TraceBytes], _ text: TraceSource.Text) throws {
        self.sources = sources
        self.text = text
        let space = DefinitionSpace()
        var inputs = try PartsOfTrace.open(sources, text, space)
        guard let first = PartsOfTrace.next(inputs) else { return nil }
        header = inputs[first].source.header
        guard inputs.allSatisfy({ $0.source.header.isMasked == header.isMasked }) else { return nil }
        var context = TraceContext(PartsOfTrace.context(of: inputs[first]))
        var begun: Set<Int> = [first]
        var last: TraceRecord?
        while let index = PartsOfTrace.next(inputs) {
            guard let record = inputs[index].record, let body = inputs[index].body() else { break }
            if let last, record.sequence <= last.sequence || record.time < last.time { return nil }
            if begun.insert(index).inserted {
                let stored = TraceContext(PartsOfTrace.context(of: inputs[index]))
                let follows = TraceContext(context) { if case .heldKey = $0 { nil } else { $0 } }
                let leftOut = try PartsOfTrace.leftOut(of: follows, before: record, body, header, space)
                guard stored.isPrefix(of: follows, leavingOut: leftOut) else { return nil }
            }
            context.apply(body)
            last = record
            inputs[index].advance()
        }
    }

    /// The number of entries by which the accumulated state of the parts before exceeds the context of a part.
    private static func leftOut(
        of context: TraceContext, before record: TraceRecord, _ body: TraceRecord.Body, _ header: TraceHeader,
        _ space: DefinitionSpace
    ) throws -> Int {
        var part = try TraceWriter(header: header, context: context) { _ in }
        try part.append(body, at: record.time, definitions: space.definitions)
        return part.initialContextLeftOut
    }

    func write(to sink: @escaping TraceWriter.Sink) throws -> TraceMerge.Summary {
        let space = DefinitionSpace()
        var inputs = try PartsOfTrace.open(sources, text, space)
        var output = CanonicalOutput(header, sink: sink)
        // Before the first record: what it takes into the space must be among the definitions of that record.
        let start = PartsOfTrace.next(inputs).map { PartsOfTrace.context(of: inputs[$0]) } ?? []
        while let index = PartsOfTrace.next(inputs) {
            guard var record = inputs[index].record, let body = inputs[index].body() else { break }
            record.body = body
            try output.append(record, space.definitions) { TraceContext(start) }
            inputs[index].advance()
        }
        try output.finish()
        return TraceMerge.Summary(reports: inputs.map(\.source.report), masked: inputs.map(\.source.masked))
    }

    private static func open(
        _ sources: [TraceBytes], _ text: TraceSource.Text, _ space: DefinitionSpace
    ) throws -> [MergeInput] {
        try sources.map { MergeInput(try TraceSource($0, text: text), DefinitionMap(into: space)) }
    }

    private static func context(of input: MergeInput) -> [ContextEntry] {
        input.source.initialContext.map { input.map.moved($0, from: input.source.definitions) }
    }

    /// The input with the lowest sequence number.
    private static func next(_ inputs: [MergeInput]) -> Int? {
        var lowest: Int?
        for index in inputs.indices {
            guard let sequence = inputs[index].record?.sequence else { continue }
            if let known = lowest, let other = inputs[known].record?.sequence, other <= sequence { continue }
            lowest = index
        }
        return lowest
    }
}
