#if Tools
    import CYAML
#endif

/// A node of a YAML document and where it begins. Only this file knows the YAML library, which is there with the
/// package's trait `Tools`.
struct YAMLNode {
    struct Scalar {
        var string: String
        /// Written without quotes.
        var isPlain: Bool
    }

    enum Content {
        case scalar(Scalar)
        case sequence([YAMLNode])
        /// The entries in the order of the file; each key once.
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    var content: Content
    /// Both begin with 1.
    var line: Int
    var column: Int

    var scalar: Scalar? { if case .scalar(let scalar) = content { scalar } else { nil } }
}

#if Tools
    extension YAMLNode {
        /// Parses a text that has passed `YAMLGuard`.
        /// - Returns: `nil` for a text without a document.
        /// - Throws: `SourceTextError` with the line of the first mistake.
        static func document(_ text: String, file: String) throws(SourceTextError) -> YAMLNode? {
            try Array(text.utf8).withUnsafeBufferPointer { bytes throws(SourceTextError) in
                try YAMLParser(bytes, file: file).document()
            }
        }
    }

    /// Nodes of the events of libyaml. Tags do not occur: keys are compared as text, and scalars are typed by their
    /// readers.
    private final class YAMLParser {
        private let bytes: UnsafeBufferPointer<UInt8>
        private let file: String
        /// The library keeps a pointer to it.
        private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        private var event = yaml_event_t()
        /// Collections inside each other. The library has such a limit only after 0.2.5.
        private static let deepest = 1_000

        init(_ bytes: UnsafeBufferPointer<UInt8>, file: String) throws(SourceTextError) {
            (self.bytes, self.file) = (bytes, file)
            parser.initialize(to: yaml_parser_t())
            guard yaml_parser_initialize(parser) == 1 else { throw error(line: 1, YAMLParser.unknownProblem) }
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
        }

        deinit {
            yaml_event_delete(&event)
            yaml_parser_delete(parser)
            parser.deallocate()
        }

        /// The only document of the stream.
        func document() throws(SourceTextError) -> YAMLNode? {
            try advance()
            try advance()
            if event.type == YAML_STREAM_END_EVENT { return nil }
            try advance()
            let root = try node(depth: 0)
            try advance()
            try advance()
            guard event.type == YAML_STREAM_END_EVENT else { throw error(line: line, "another document") }
            return root
        }

        /// Replaces the event by the next one.
        private func advance() throws(SourceTextError) {
            yaml_event_delete(&event)
            guard yaml_parser_parse(parser, &event) == 1 else { throw problem() }
        }

        private var line: Int { Int(event.start_mark.line) + 1 }

        /// The node that begins with the current event; its last event is the current one after that.
        private func node(depth: Int) throws(SourceTextError) -> YAMLNode {
            let (line, column) = (line, Int(event.start_mark.column) + 1)
            guard depth < YAMLParser.deepest else {
                throw error(line: line, "more than \(YAMLParser.deepest) maps and lists inside each other")
            }
            let content: YAMLNode.Content
            switch event.type {
            case YAML_SCALAR_EVENT:
                let scalar = event.data.scalar
                var text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)[...]
                // A byte order mark, as files that were put together have it, is no part of a name.
                if text.starts(with: "\u{FEFF}".utf8) { text = text.dropFirst(3) }
                content = .scalar(
                    YAMLNode.Scalar(
                        string: String(decoding: text, as: UTF8.self),
                        isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE))
            case YAML_SEQUENCE_START_EVENT:
                var items: [YAMLNode] = []
                try advance()
                while event.type != YAML_SEQUENCE_END_EVENT {
                    items.append(try node(depth: depth + 1))
                    try advance()
                }
                content = .sequence(items)
            case YAML_MAPPING_START_EVENT: content = .mapping(try entries(depth: depth + 1))
            default:
                throw SourceTextError(
                    file: file, line: line, subject: "YAML", expected: "plain keys and values", found: "an alias")
            }
            return YAMLNode(content: content, line: line, column: column)
        }

        private func entries(depth: Int) throws(SourceTextError) -> [(key: YAMLNode, value: YAMLNode)] {
            var entries: [(key: YAMLNode, value: YAMLNode)] = []
            var lines: [String: Int] = [:]
            var repeated: Set<String> = []
            try advance()
            while event.type != YAML_MAPPING_END_EVENT {
                let key = try node(depth: depth)
                try advance()
                entries.append((key, try node(depth: depth)))
                try advance()
                // Another key than a scalar is refused by the reader of the map.
                guard let name = key.scalar?.string else { continue }
                if lines[name] == nil { lines[name] = key.line } else { repeated.insert(name) }
            }
            guard let first = repeated.min() else { return entries }
            let names = repeated.sorted().prefix(4).map(SourceTextError.quoted).joined(separator: ", ")
            throw SourceTextError(
                file: file, line: lines[first] ?? 1, subject: "YAML", expected: "each key once",
                found: "\(names) twice")
        }

        // MARK: Errors

        private static let unknownProblem = "text that is no YAML"

        private func error(line: Int, _ found: String) -> SourceTextError {
            SourceTextError(file: file, line: line, subject: "YAML", expected: "a document", found: found)
        }

        /// The library's own words, where it has some.
        private func problem() -> SourceTextError {
            let line: Int
            switch parser.pointee.error {
            case YAML_SCANNER_ERROR, YAML_PARSER_ERROR: line = Int(parser.pointee.problem_mark.line) + 1
            case YAML_READER_ERROR:
                line = bytes.prefix(parser.pointee.problem_offset).reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
            default: return error(line: 1, YAMLParser.unknownProblem)
            }
            guard let words = parser.pointee.problem.map({ String(cString: $0) }) else {
                return error(line: line, YAMLParser.unknownProblem)
            }
            // They begin so as a rule.
            let found = ["but found ", "found "].first(where: words.hasPrefix).map { words.dropFirst($0.count) }
            return error(line: line, String(found ?? words[...]))
        }
    }
#else
    extension YAMLNode {
        /// - Throws: always; a build without the trait `Tools` has no YAML library.
        static func document(_: String, file: String) throws(SourceTextError) -> YAMLNode? {
            throw SourceTextError(
                file: file, line: 1, subject: "scene", expected: "a build that reads YAML",
                found: "keyflight without its trait Tools",
                remedy: "depend on it with traits: [\"Tools\"], or replay responders written in Swift (AppReplay)")
        }
    }
#endif
