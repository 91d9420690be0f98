package import TraceFormat

/// Several traces as one.
///
/// Parts that `TraceCut` made of one trace, all of them, give that trace back, to the byte when it was canonical.
/// Other traces are joined: their records in the order of time, at the same time in the order of the sources and
/// within a source in its own; renumbered, and so are presses, in the order of their downs. Devices keep their ids
/// as far as they are free. Names that another source has already are renamed: the second source's clock `usbmon`
/// becomes `usbmon#2`, its fact `profile` becomes `source2.profile`. Where a source was itself joined and has such
/// names, the number is the next one that none has.
///
/// In a secure entry of any source nothing that was typed is kept of any: keys, text without a key and their
/// decisions. A key belongs to the gap when its down does; keys that are down when it begins go up there.
package struct TraceMerge: Sendable {
    package struct Summary: Sendable {
        /// Records that were left out because a source was in secure entry.
        package var dropped: UInt64 = 0
        /// The reading report of each source.
        package var reports: [ReadingReport] = []
        /// Number of data that masking removed from each.
        package var masked: [IdentifyingDataCounts] = []
    }

    package var sources: [TraceBytes]
    package var showsKeys: Bool

    package init(_ sources: [TraceBytes], showsKeys: Bool = false) {
        self.sources = sources
        self.showsKeys = showsKeys
    }

    package func run(to sink: @escaping TraceWriter.Sink) throws -> Summary {
        let text: TraceSource.Text = showsKeys ? .shown : .masked
        if let parts = try PartsOfTrace(sources, text) { return try parts.write(to: sink) }
        var join = try TraceJoin(sources, text, to: sink)
        return try join.write()
    }
}

/// The next record of one source among several.
struct MergeInput {
    var source: TraceSource
    let map: DefinitionMap
    private(set) var record: TraceRecord?

    init(_ source: TraceSource, _ map: DefinitionMap) {
        self.source = source
        self.map = map
        advance()
    }

    mutating func advance() { record = source.next() }

    /// The record's body with handles of the common definitions.
    func body() -> TraceRecord.Body? { record.map { map.moved($0.body, from: source.definitions) } }
}
