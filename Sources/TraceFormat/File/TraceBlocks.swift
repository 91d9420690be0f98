/// Blocks put together again.
package enum TraceBlocks {
    /// Files of one recording, each of which continues the one before, as one trace that has not ended.
    package static func joined(_ files: [TraceBytes]) throws(TraceError) -> [UInt8] {
        guard let first = files.first else { return [] }
        var start = TraceWindow(first)
        var header = try TraceFrame.header(start.bytes(at: 0, count: TraceFrame.fileHeaderLength))
        header.form = .live
        var bytes = TraceFrame.header(header).withBytes { Array($0) }
        for (place, file) in files.enumerated() {
            file.withBytes { raw in
                // The last file is kept whole: reading reports a truncated end.
                let end = place == files.count - 1 ? raw.count : endOfRecords(raw)
                if end > TraceFrame.fileHeaderLength {
                    bytes.append(contentsOf: raw[TraceFrame.fileHeaderLength..<end])
                }
            }
        }
        return bytes
    }

    /// End of the blocks of records: the offset of the index, or of bytes that are no block.
    private static func endOfRecords(_ raw: UnsafeRawBufferPointer) -> Int {
        var position = TraceFrame.fileHeaderLength
        while let header = try? TraceFrame.block(raw, at: position), header.kind == BlockHeader.records {
            position += TraceFrame.blockHeaderLength + header.length
        }
        return min(position, raw.count)
    }
}
