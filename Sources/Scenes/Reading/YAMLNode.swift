#if Tools
    import Yams
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
            do {
                // Without resolver rules: keys are compared as text, and scalars are typed by their readers.
                let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
                return try parser.singleRoot().map { try YAMLNode($0, file: file) }
            } catch let error as YamlError {
                throw YAMLNode.error(error, file: file)
            } catch let error as SourceTextError {
                throw error
            } catch {
                throw SourceTextError(file: file, line: 1, subject: "YAML", expected: "a document", found: "\(error)")
            }
        }

        private init(_ node: Node, file: String) throws(SourceTextError) {
            line = node.mark?.line ?? 1
            column = node.mark?.column ?? 1
            switch node {
            case .scalar(let scalar):
                content = .scalar(Scalar(string: scalar.string, isPlain: scalar.style == .plain))
            case .sequence(let sequence):
                content = .sequence(
                    try sequence.map { item throws(SourceTextError) in try YAMLNode(item, file: file) })
            case .mapping(let mapping):
                content = .mapping(
                    try mapping.map { key, value throws(SourceTextError) in
                        (try YAMLNode(key, file: file), try YAMLNode(value, file: file))
                    })
            case .alias:
                throw SourceTextError(
                    file: file, line: line, subject: "YAML", expected: "plain keys and values", found: "an alias")
            }
        }

        private static func error(_ error: YamlError, file: String) -> SourceTextError {
            func at(_ line: Int, _ problem: String) -> SourceTextError {
                // The library's own words for it begin so as a rule.
                let found = ["but found ", "found "].first(where: problem.hasPrefix).map { problem.dropFirst($0.count) }
                return SourceTextError(
                    file: file, line: max(1, line), subject: "YAML", expected: "a document",
                    found: String(found ?? problem[...]))
            }
            switch error {
            case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
                .composer(_, let problem, let mark, _):
                return at(mark.line, problem)
            case .duplicatedKeysInMapping(let keys, let context):
                let names = keys.prefix(4).map(SourceTextError.quoted).joined(separator: ", ")
                return SourceTextError(
                    file: file, line: max(1, context.mark.line), subject: "YAML", expected: "each key once",
                    found: "\(names) twice")
            case .reader(let problem, let offset, _, let text):
                let line = text.utf8.prefix(offset ?? 0).reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
                return at(line, problem)
            default: return at(1, "text that is no YAML")
            }
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
