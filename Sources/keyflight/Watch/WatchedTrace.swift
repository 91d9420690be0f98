import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses
import TraceReports

/// A trace that is read, followed while it is written, and looked into at any place.
///
/// Of its presses the last ones are in memory, the slowest and one page. The others are read again from the nearest of
/// a bounded number of checkpoints: blocks of the file, with what was known of its context when they began.
struct WatchedTrace {
    private struct Checkpoint {
        var block: TraceIndex.Block
        /// It has read the records before, and looks for no press.
        var explainer: PressExplainer
        var row: Int
        var lastPress: UInt32
    }

    private(set) var reader: TraceReader
    private let name: String
    /// Presses that it lets through are listed, the last ones; `nil` lists all.
    let filter: PressFilter?
    private let path: String?
    /// The unread source of the finished trace, or what it was replayed from, which presses are explained by.
    private var finished: RecordSource?
    private var explainer = PressExplainer(.press(0))
    private var facts = TraceInfoBuilder()
    private var keyboard = KeyboardState()
    private var list: PressList
    private var blocks: UInt64 = 0
    private var lastPress: UInt32 = 0
    private var checkpoints: [Checkpoint] = []
    /// Bytes from one checkpoint to the next.
    private var stride = 1 << 16
    private static let mostCheckpoints = 64
    /// The last presses, from the row `tailStart` on, and those that may still change.
    private var tail: [ListedPress] = []
    private var latest: [ListedPress] = []
    private var tailStart = 0
    private static let longestTail = 8_192
    private var page = RowPage()
    private(set) var slowest: [ListedPress] = []
    static let mostSlow = 1_000
    /// Downs and repeats of the last second.
    private(set) var recent: [TraceTime] = []
    private var reading: (press: UInt32, explainer: PressExplainer, reader: TraceReader, end: UInt64?)?
    private var report: (press: UInt32, isWhole: Bool, report: ExplainReport)?
    /// Bytes that are read at once.
    private static let short = 1 << 18
    /// Nothing more comes.
    private(set) var isEnded = false
    private var isSettled = false
    /// All that there is so far was read.
    private(set) var isRead = false

    /// - Parameters:
    ///   - path: `nil` for a trace in memory.
    ///   - finished: The unread source that presses are explained by, where it is not the trace.
    init(
        _ reader: TraceReader, name: String, path: String? = nil, finished: RecordSource? = nil,
        where filter: PressFilter? = nil
    ) {
        (self.reader, self.name, self.path, self.finished, self.filter) = (reader, name, path, finished, filter)
        list = PressList(level: reader.level, from: PressContext(), where: filter)
    }

    /// The same from its beginning, with the presses that a filter lets through.
    func again(where filter: PressFilter?) throws -> WatchedTrace {
        let source = path == nil ? finished : nil
        return WatchedTrace(try TraceReader(reader.bytes), name: name, path: path, finished: source, where: filter)
    }

    // MARK: Reading

    /// Reads on for at most so long. Returns true when something came.
    mutating func advance(for duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        let before = reader.report.records
        isRead = false
        repeat {
            for _ in 0..<512 {
                guard let record = reader.next() else {
                    let more = isEnded ? .never : reader.resume()
                    isEnded = more == .never
                    isRead = more != .more
                    break
                }
                consume(record)
            }
        } while !isRead && ContinuousClock.now < end
        if isEnded, !isSettled { settle() }
        latest = list.unfinished(reader.definitions)
        return reader.report.records != before
    }

    /// At the end no press changes any more, and each is explained as by a reading of the whole.
    private mutating func settle() {
        (isSettled, report) = (true, nil)
        list.finish(reader.definitions)
        while let press = list.next() { append(press) }
        guard finished == nil, let trace = try? TraceReader(path.map(ByteFile.open) ?? reader.bytes) else { return }
        finished = RecordSource(trace: trace, name: name)
        finished?.derivesCandidates = true
    }

    private mutating func consume(_ record: TraceRecord) {
        if reader.blocks != blocks { beginBlock() }
        let definitions = reader.definitions
        facts.consume(record, definitions: definitions)
        explainer.read(record, definitions: definitions)
        list.consume(record, definitions: definitions)
        while let press = list.next() { append(press) }
        if let press = record.body.press { lastPress = max(lastPress, press) }
        guard case .key(let key) = record.body else { return }
        keyboard.apply(key.key, key.phase, device: key.device, press: key.press, isSynthetic: key.isSynthetic)
        guard key.press != nil, key.phase == .down || key.phase == .repeat else { return }
        recent.removeAll { record.time.since($0).nanoseconds >= 1_000_000_000 }
        if recent.count < 10_000 { recent.append(record.time) }
    }

    private mutating func beginBlock() {
        if blocks == 0 {
            explainer.begin(reader.initialContext)
            facts.begin(reader.initialContext)
            list = PressList(level: reader.level, from: explainer.context, where: filter)
        }
        blocks = reader.blocks
        guard let block = reader.lastBlock else { return }
        if let last = checkpoints.last, block.offset < last.block.offset + UInt64(stride) { return }
        checkpoints.append(
            Checkpoint(block: block, explainer: explainer, row: list.count, lastPress: lastPress))
        guard checkpoints.count > WatchedTrace.mostCheckpoints else { return }
        checkpoints = checkpoints.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        stride *= 2
    }

    private mutating func append(_ press: ListedPress) {
        tail.append(press)
        if tail.count > 2 * WatchedTrace.longestTail {
            tail.removeFirst(WatchedTrace.longestTail)
            tailStart += WatchedTrace.longestTail
        }
        slowest.keepSlow(press)
    }

    // MARK: Presses

    /// Presses that are listed so far.
    var count: Int { list.count - leftOut }

    /// Those before them that a filter let through.
    var leftOut: Int { filter == nil ? 0 : tailStart }

    /// Those in these rows, which are counted from 0 on.
    mutating func rows(_ wanted: Range<Int>) -> [ListedPress] {
        let wanted = (wanted.lowerBound + leftOut..<wanted.upperBound + leftOut).clamped(to: leftOut..<list.count)
        var rows: [ListedPress] = []
        var row = wanted.lowerBound
        while row < min(wanted.upperBound, tailStart) {
            if !page.rows.indices.contains(row - page.start) { readPage(row) }
            guard page.rows.indices.contains(row - page.start) else { break }
            rows.append(page.rows[row - page.start])
            row += 1
        }
        guard wanted.upperBound > tailStart else { return rows }
        let last = wanted.upperBound > tailStart + tail.count ? tail + latest : tail
        let places = (max(wanted.lowerBound, tailStart) - tailStart)..<(wanted.upperBound - tailStart)
        return rows + last[places.clamped(to: last.indices)]
    }

    /// Reads the page that has this row, on from the last one where that is near.
    private mutating func readPage(_ row: Int) {
        let start = row / RowPage.length * RowPage.length
        guard let checkpoint = checkpoints.last(where: { $0.row <= start }) else { return }
        if page.next == nil || page.row > start || page.row < checkpoint.row {
            var part = reader
            guard part.seek(to: checkpoint.block) else { return page = RowPage() }
            let list = PressList(
                level: reader.level, from: checkpoint.explainer.context, after: checkpoint.lastPress)
            page = RowPage(row: checkpoint.row, next: (part, list))
        }
        page.read(from: start)
    }

    // MARK: Explanations

    /// The report about a press, as far as it is known; `nil` where there is none. `isWhole`: what takes a reading of
    /// the whole trace is part of it, once the trace has ended; of a short one it always is.
    mutating func report(of press: UInt32, isWhole: Bool = false) -> ExplainReport? {
        let isWhole = isEnded && (isWhole || reader.report.bytes <= WatchedTrace.short)
        if let report, report.press == press, report.isWhole || !isWhole && reading?.end != nil { return report.report }
        if isWhole, let source = finished, var found = try? source.report(of: .press(press)).report {
            found.others = try? source.otherProfiles(of: found.explanation)
            report = (press, true, found)
            return found
        }
        guard let found = partReport(of: press) else { return nil }
        report = (press, false, found)
        return found
    }

    private mutating func partReport(of press: UInt32) -> ExplainReport? {
        if reading?.press != press {
            guard let checkpoint = checkpoints.last(where: { $0.lastPress < press }) ?? checkpoints.first else {
                return nil
            }
            var part = reader
            guard part.seek(to: checkpoint.block) else { return nil }
            var explainer = checkpoint.explainer
            explainer.look(for: press)
            reading = (press, explainer, part, nil)
        }
        guard var reading else { return nil }
        self.reading = nil
        repeat {
            while reading.end.map({ reading.reader.blocks <= $0 }) ?? true, let record = reading.reader.next() {
                reading.explainer.read(record, definitions: reading.reader.definitions)
                // Samples come in the block after at the latest.
                if reading.end == nil, record.body.press == press, reading.explainer.isOver(press) {
                    reading.end = reading.reader.blocks + 1
                }
            }
        } while reading.end == nil && reading.reader.resume() == .more
        self.reading = reading
        var explainer = reading.explainer
        let source = RecordSource(trace: reader, name: name)
        return try? source.report(by: &explainer, info, reading.reader.definitions, derived: source)
    }

    // MARK: Facts

    /// The facts so far. A trace that is still written lacks its end without being damaged.
    var info: TraceInfo {
        var file = TraceFileFacts(reader.report)
        if !isEnded, file.damage?.reason == ReadingReport.noEndMarker { file.damage = nil }
        return facts.info(of: file)
    }

    /// Nothing of it is missing but an end that is still to come.
    var isSound: Bool { isEnded ? reader.report.complete : info.loss.damage == nil }

    /// Keys that are held now: the flags, and the other keys.
    var held: (modifiers: KeyModifiers, keys: [KeyIdentity]) {
        (keyboard.modifiers.flags, keyboard.held.map(\.key).filter { $0.usage?.isModifier != true })
    }

    /// Ids of the first responder and the key window now; `nil` where there is none, or nothing is recorded of it.
    var focus: (firstResponder: String?, keyWindow: String?) {
        let (context, names) = (explainer.context, reader.definitions)
        return (names.id(of: context.firstResponder?.responder), names.id(of: context.keyWindow?.window))
    }

    /// Read so far, of the bytes that there are.
    var progress: (offset: Int, bytes: UInt64) { (reader.offset, reader.report.bytes) }
}

/// Rows of a trace from `start` on, and the reading that they come from.
private struct RowPage {
    static let length = 512
    private(set) var start = 0
    private(set) var rows: [ListedPress] = []
    /// The row that the reading lists next.
    private(set) var row = 0
    private(set) var next: (reader: TraceReader, list: PressList)?

    init() {}
    init(row: Int, next: (TraceReader, PressList)) { (self.row, self.next) = (row, next) }

    mutating func read(from start: Int) {
        (self.start, rows) = (start, [])
        guard var (reader, list) = next else { return }
        next = nil
        while rows.count < RowPage.length {
            if let press = list.next() {
                if row >= start { rows.append(press) }
                row += 1
            } else {
                guard let record = reader.next() else { break }
                list.consume(record, definitions: reader.definitions)
            }
        }
        next = (reader, list)
    }
}

extension [ListedPress] {
    /// Inserts a press where it is among the slowest, which come first.
    mutating func keepSlow(_ press: ListedPress) {
        guard let total = press.total else { return }
        if count >= WatchedTrace.mostSlow, total <= last?.total ?? .zero { return }
        let place = indices.partitionPoint { (self[$0].total ?? .zero) >= total }
        insert(press, at: place)
        if count > WatchedTrace.mostSlow { removeLast() }
    }
}
