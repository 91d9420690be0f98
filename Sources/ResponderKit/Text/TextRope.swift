/// A text in chunks of at most half a kilobyte, at the bottom of a tree that knows how many characters, UTF-16 units,
/// lines and paragraphs lie below each node.
///
/// Finding a place costs the tree's height and one chunk; changing it costs that and the chunk's bytes, wherever it
/// is and however long the text. Chunks meet between whole characters of the text, so that each can be read alone.
struct TextRope {
    private(set) var root = TextNode(chunks: [])
    /// The count of work so far; copies of a text count together.
    let work = TextWork()

    init() {}

    init(_ text: String) {
        var level = TextNode.split(TextChunk.chunks(of: text)).map { TextNode(chunks: $0) }
        while level.count > 1 { level = TextNode.split(level).map { TextNode(nodes: $0) } }
        root = level.first ?? root
    }

    var metrics: TextMetrics { root.metrics }
    var count: Int { root.metrics.characters }

    /// A chunk, and the counts of the text before it.
    struct Place {
        let chunk: TextChunk
        let before: TextMetrics
        var characters: Range<Int> { before.characters..<before.characters + chunk.metrics.characters }
    }

    /// The chunk that holds the unit number `target`, from 0, of a measure; `nil` where there is none.
    func place(of target: Int, _ measure: TextMetrics.Measure) -> Place? {
        guard target >= 0, target < root.metrics[measure] else { return nil }
        var before = TextMetrics()
        var node = root
        while !node.isBottom {
            work.nodesVisited += 1
            var below: TextNode?
            for child in node.nodes {
                if target < before[measure] + child.metrics[measure] {
                    below = child
                    break
                }
                before += child.metrics
            }
            guard let below else { return nil }
            node = below
        }
        work.nodesVisited += 1
        for chunk in node.chunks {
            if target < before[measure] + chunk.metrics[measure] { return Place(chunk: chunk, before: before) }
            before += chunk.metrics
        }
        return nil
    }

    /// The index of a chunk's character number `offset`.
    func index(_ offset: Int, in chunk: TextChunk) -> String.Index {
        if chunk.metrics.utf8 == chunk.metrics.characters {
            return chunk.text.utf8.index(chunk.text.startIndex, offsetBy: offset)
        }
        work.charactersScanned += offset
        return chunk.text.index(chunk.text.startIndex, offsetBy: offset)
    }

    /// Puts a piece in the place of a range of characters. Both ends of the range must stay ends of characters, which
    /// `TextDocument` sees to.
    mutating func splice(_ range: Range<Int>, with piece: String) {
        guard !range.isEmpty || !piece.isEmpty else { return }
        guard count > 0 else {
            root = TextRope(piece).root
            return
        }
        // An insertion belongs to the chunk of the character before it.
        let first = range.isEmpty ? max(0, range.lowerBound - 1) : range.lowerBound
        guard let start = place(of: first, .characters) else { return }
        let inChunk = range.lowerBound - start.before.characters
        if range.upperBound <= start.characters.upperBound {
            let from = index(inChunk, in: start.chunk)
            let to = range.isEmpty ? from : index(inChunk + range.count, in: start.chunk)
            let removed = TextMetrics(start.chunk.text[from..<to])
            let added = TextMetrics(piece)
            work.charactersScanned += removed.characters + added.characters
            let size = start.chunk.metrics.utf8 - removed.utf8 + added.utf8
            if size <= TextChunk.most, size >= TextChunk.least || (size > 0 && start.chunk.metrics == metrics) {
                work.bytesMoved += added.utf8 + start.chunk.text.utf8.distance(from: to, to: start.chunk.text.endIndex)
                let change = added - removed
                TextNode.update(&root, at: first, change) { chunk in
                    chunk.text.replaceSubrange(from..<to, with: piece)
                    chunk.metrics += change
                }
                return
            }
        }
        rewrite(range, with: piece, from: start)
    }

    /// Makes the chunks anew that a range touches.
    private mutating func rewrite(_ range: Range<Int>, with piece: String, from start: Place) {
        var whole = start.characters
        var text = String(start.chunk.text[..<index(range.lowerBound - whole.lowerBound, in: start.chunk)]) + piece
        if range.upperBound < whole.upperBound {
            text += start.chunk.text[index(range.upperBound - whole.lowerBound, in: start.chunk)...]
        } else if range.upperBound > whole.upperBound,
            let end = place(of: range.upperBound - 1, .characters)
        {
            text += end.chunk.text[index(range.upperBound - end.before.characters, in: end.chunk)...]
            whole = whole.lowerBound..<end.characters.upperBound
        }
        // A very small rest joins the neighbouring chunk.
        if text.utf8.count < TextChunk.least {
            if let after = place(of: whole.upperBound, .characters) {
                text += after.chunk.text
                whole = whole.lowerBound..<after.characters.upperBound
            } else if let before = place(of: whole.lowerBound - 1, .characters) {
                text = before.chunk.text + text
                whole = before.characters.lowerBound..<whole.upperBound
            }
        }
        let chunks = TextChunk.chunks(of: text)
        work.bytesMoved += text.utf8.count
        work.charactersScanned += chunks.reduce(0) { $0 + $1.metrics.characters }
        TextNode.remove(&root, whole)
        if !chunks.isEmpty {
            let following = TextNode.insert(&root, at: whole.lowerBound, chunks)
            var level = [root] + following
            while level.count > 1 { level = TextNode.split(level).map { TextNode(nodes: $0) } }
            root = level[0]
        }
        while root.nodes.count == 1 { root = root.nodes[0] }
        if root.metrics.characters == 0 { root = TextNode(chunks: []) }
    }
}

/// Exact counts of what a document did.
public final class TextWork {
    /// Bytes of chunks that an edit put somewhere else.
    public internal(set) var bytesMoved = 0
    /// Characters that were stepped over, to find a place or to count them.
    public internal(set) var charactersScanned = 0
    public internal(set) var nodesVisited = 0
}

/// Some whole characters.
struct TextChunk {
    var text: String
    var metrics: TextMetrics

    /// The largest chunk in bytes of UTF-8. One character that is longer than a chunk has a chunk for itself.
    static let most = 512
    static let least = 128
    private static let usual = 320

    static func chunks(of text: String) -> [TextChunk] {
        guard !text.isEmpty else { return [] }
        guard text.utf8.count > most else { return [TextChunk(text)] }
        var chunks: [TextChunk] = []
        var start = text.startIndex
        var end = start
        var size = 0
        while end < text.endIndex {
            let next = text.index(after: end)
            size += text.utf8.distance(from: end, to: next)
            end = next
            // The last chunk is not left too small.
            if size >= usual, text.utf8.distance(from: end, to: text.endIndex) >= least {
                chunks.append(TextChunk(String(text[start..<end])))
                start = end
                size = 0
            }
        }
        if start < end { chunks.append(TextChunk(String(text[start..<end]))) }
        return chunks
    }

    init(_ text: String) {
        self.text = text
        metrics = TextMetrics(text)
    }
}

/// A node of the tree: of chunks at the bottom, of nodes of one height above it. A node that is shared by two
/// texts is copied before it is changed.
final class TextNode {
    private(set) var metrics = TextMetrics()
    private(set) var chunks: [TextChunk] = []
    private(set) var nodes: [TextNode] = []

    static let most = 32
    static let least = 8

    init(chunks: [TextChunk]) {
        self.chunks = chunks
        measure()
    }

    init(nodes: [TextNode]) {
        self.nodes = nodes
        measure()
    }

    private init(copying other: TextNode) {
        metrics = other.metrics
        chunks = other.chunks
        nodes = other.nodes
    }

    var isBottom: Bool { nodes.isEmpty }

    private func measure() {
        var sum = TextMetrics()
        for chunk in chunks { sum += chunk.metrics }
        for node in nodes { sum += node.metrics }
        metrics = sum
    }

    private static func own(_ node: inout TextNode) {
        if !isKnownUniquelyReferenced(&node) { node = TextNode(copying: node) }
    }

    /// Cuts a list into lists of about the same length that nodes can hold.
    static func split<Entry>(_ entries: [Entry]) -> [[Entry]] {
        guard entries.count > most else { return [entries] }
        let parts = (entries.count + most * 3 / 4 - 1) / (most * 3 / 4)
        return (0..<parts).map { part in
            Array(entries[entries.count * part / parts..<entries.count * (part + 1) / parts])
        }
    }

    /// Changes the chunk of a character, whose metrics change by as much.
    static func update(
        _ node: inout TextNode, at offset: Int, _ change: TextMetrics, _ body: (inout TextChunk) -> Void
    ) {
        own(&node)
        node.metrics += change
        var offset = offset
        for index in node.nodes.indices {
            let count = node.nodes[index].metrics.characters
            if offset < count { return update(&node.nodes[index], at: offset, change, body) }
            offset -= count
        }
        for index in node.chunks.indices {
            let count = node.chunks[index].metrics.characters
            if offset < count { return body(&node.chunks[index]) }
            offset -= count
        }
    }

    /// Removes whole chunks, given by the range of their characters.
    static func remove(_ node: inout TextNode, _ range: Range<Int>) {
        own(&node)
        var start = 0
        if node.isBottom {
            node.chunks.removeAll { chunk in
                defer { start += chunk.metrics.characters }
                return range.contains(start)
            }
        } else {
            var kept: [TextNode] = []
            for var child in node.nodes {
                let span = start..<start + child.metrics.characters
                start = span.upperBound
                let part = range.clamped(to: span)
                if part == span { continue }
                if !part.isEmpty {
                    remove(&child, part.lowerBound - span.lowerBound..<part.upperBound - span.lowerBound)
                }
                if let last = kept.last, let joined = join(last, child) {
                    kept[kept.count - 1] = joined
                } else {
                    kept.append(child)
                }
            }
            node.nodes = kept
        }
        node.measure()
    }

    /// Two neighbours as one, where one of them has become small.
    private static func join(_ a: TextNode, _ b: TextNode) -> TextNode? {
        let (first, second) = (a.nodes.count + a.chunks.count, b.nodes.count + b.chunks.count)
        guard min(first, second) < least, first + second <= most else { return nil }
        return a.isBottom ? TextNode(chunks: a.chunks + b.chunks) : TextNode(nodes: a.nodes + b.nodes)
    }

    /// Inserts chunks between two, after the given number of characters; returns the nodes that follow where that made
    /// too many.
    static func insert(_ node: inout TextNode, at offset: Int, _ chunks: [TextChunk]) -> [TextNode] {
        own(&node)
        defer { node.measure() }
        var offset = offset
        if node.isBottom {
            var index = 0
            while index < node.chunks.count, offset > 0 {
                offset -= node.chunks[index].metrics.characters
                index += 1
            }
            node.chunks.insert(contentsOf: chunks, at: index)
            let parts = split(node.chunks)
            node.chunks = parts[0]
            return parts.dropFirst().map { TextNode(chunks: $0) }
        }
        var index = 0
        while index < node.nodes.count - 1, offset > node.nodes[index].metrics.characters {
            offset -= node.nodes[index].metrics.characters
            index += 1
        }
        let following = insert(&node.nodes[index], at: offset, chunks)
        node.nodes.insert(contentsOf: following, at: index + 1)
        let parts = split(node.nodes)
        node.nodes = parts[0]
        return parts.dropFirst().map { TextNode(nodes: $0) }
    }
}
