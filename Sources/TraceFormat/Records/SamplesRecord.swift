public import KeyModel

/// Samples of the stack of a press's thread, taken while the press took long and recorded after it.
public struct SamplesRecord: Hashable, Sendable {
    public var at: PressTick
    /// From the begin of the press's handling, which offsets of samples count from, to the record.
    public var age: TraceDuration
    /// Between two samples.
    public var interval: TraceDuration
    /// The text form of `SampledStacks`.
    public var stacks: String

    public init(at: PressTick, age: TraceDuration, interval: TraceDuration, stacks: String) {
        (self.at, self.age, self.interval, self.stacks) = (at, age, interval, stacks)
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.duration("age_ns", &age)
        try w.duration("interval_ns", &interval)
        try w.text("stacks", &stacks)
    }
}

/// Stacks of a press as a tree of functions, and the samples that ended at its nodes.
public struct SampledStacks: Hashable, Sendable {
    public struct Module: Hashable, Sendable {
        /// Part of the app, not of the system.
        public var isOwn: Bool
        /// Hexadecimal; `nil` where the file has none.
        public var buildID: String?
        /// File name without folders.
        public var name: String
    }

    public struct Function: Hashable, Sendable {
        /// Index of its module; `nil` for code that belongs to none.
        public var module: Int?
        /// Address in the module's file.
        public var offset: UInt64
        /// `nil` for a function without a symbol.
        public var name: String?
    }

    public struct Node: Hashable, Sendable {
        /// Index of the caller, which comes before it; `nil` for the outermost function.
        public var parent: Int?
        public var function: Int
    }

    /// Samples of one stack, one after the other.
    public struct Sample: Hashable, Sendable {
        /// Of the first, from the begin of the press's handling.
        public var offset: TraceDuration
        /// Number of intervals that they represent.
        public var count: UInt32
        /// Index of the innermost function's node.
        public var node: Int
        /// The system call that the thread was blocked in; `nil` where it ran.
        public var call: String?
        /// The outermost function was found.
        public var isWhole: Bool
    }

    public private(set) var modules: [Module] = []
    public private(set) var functions: [Function] = []
    public private(set) var nodes: [Node] = []
    public private(set) var samples: [Sample] = []
    /// Intervals without a sample: the thread did not answer, or there was no room.
    public private(set) var skipped: UInt32 = 0

    /// - Throws: `field` for a line that is none, or that refers to one that does not come before it.
    public init(_ text: String) throws(TraceError) {
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            guard let line = String(line) else { continue }
            guard add(line) else {
                throw TraceError(
                    .field, field: "stacks", expected: "lines of modules, functions, nodes and samples", found: line)
            }
        }
    }

    private mutating func add(_ line: String) -> Bool {
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        switch words.first {
        case "m" where words.count == 4 && (words[1] == "own" || words[1] == "system"):
            let id = words[2] == "-" ? nil : String(words[2])
            modules.append(Module(isOwn: words[1] == "own", buildID: id, name: String(words[3])))
        case "f" where words.count >= 3:
            guard let offset = UInt64(words[2], radix: 16) else { return false }
            let module = Int(words[1])
            guard module.map(modules.indices.contains) ?? (words[1] == "-") else { return false }
            functions.append(Function(module: module, offset: offset, name: words.count > 3 ? String(words[3]) : nil))
        case "n" where words.count == 3:
            guard let parent = Int(words[1]), 0...nodes.count ~= parent, let function = Int(words[2]),
                functions.indices.contains(function)
            else { return false }
            nodes.append(Node(parent: parent == 0 ? nil : parent - 1, function: function))
        case "s" where words.count == 4, "t" where words.count == 4:
            let rest = words[3].split(separator: " ", maxSplits: 1)
            guard let offset = Int64(words[1]), offset >= 0, let count = UInt32(words[2]), let last = rest.first,
                let node = Int(last), nodes.indices.contains(node - 1)
            else { return false }
            samples.append(
                Sample(
                    offset: TraceDuration(nanoseconds: offset), count: count, node: node - 1,
                    call: rest.count > 1 ? String(rest[1]) : nil, isWhole: words[0] == "s"))
        case "l" where words.count == 2:
            guard let count = UInt32(words[1]) else { return false }
            skipped = skipped.addingReportingOverflow(count).partialValue
        default: return false
        }
        return true
    }

    /// The text with the names of the app's own modules and functions left out; `nil` where it has none.
    package static func withoutOwnNames(_ text: String) -> String? {
        // What is damaged may have names anywhere.
        guard let stacks = try? SampledStacks(text) else { return text.isEmpty ? nil : "" }
        var module = 0
        let lines = text.split(separator: "\n").map { line -> String in
            let words = line.split(separator: " ", maxSplits: 3)
            if words[0] == "m" {
                module += 1
                return stacks.modules[module - 1].isOwn ? "m own - app" : String(line)
            }
            guard words[0] == "f", let own = Int(words[1]), stacks.modules[own].isOwn else { return String(line) }
            return words.prefix(3).joined(separator: " ")
        }
        let rest = lines.joined(separator: "\n") + "\n"
        return rest == text ? nil : rest
    }
}
