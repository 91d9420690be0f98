package import TraceFormat
import KeyModel

extension PressExplainer {
    /// Blocks before the one of the press that are read as well, for since when things are as they are.
    private static let blocksBefore = 4

    /// Finds a press by the trace's index and reads the blocks around it alone: from four blocks before it goes down to
    /// the end of the block after the one in which it was resolved and released. `nil` where the trace has no index,
    /// or the index does not lead to the press.
    ///
    /// A modifier whose release never comes is not known to be stuck, since the rest of the trace is not read.
    /// The facts of the trace are those of its fact and loss blocks; damage elsewhere is not looked for.
    package static func reading(
        _ press: UInt32, by index: TraceIndex, of trace: TraceReader
    ) -> (explainer: PressExplainer, definitions: TraceDefinitions)? {
        guard let number = index.number(ofPress: press) else { return nil }
        let start = max(0, number - blocksBefore)
        var reader = trace
        guard reader.seek(to: index.blocks[start]) else { return nil }
        var explainer = PressExplainer(.press(press))
        explainer.isPart = true
        explainer.begin(reader.blockContext)
        explainer.facts = TraceInfoBuilder(index, of: trace)
        let firstBlock = reader.blocks
        var hasDown = false
        var end: UInt64?
        while let record = reader.next() {
            let block = reader.blocks
            if let end, block > end { break }
            if !hasDown, block - firstBlock > UInt64(number - start) { return nil }
            explainer.read(record, definitions: reader.definitions)
            guard end == nil, record.body.press == press else { continue }
            if case .key(let key) = record.body, key.phase == .down { hasDown = true }
            if explainer.isOver(press) { end = block + 1 }
        }
        return hasDown && reader.report.damages.isEmpty ? (explainer, reader.definitions) : nil
    }
}
