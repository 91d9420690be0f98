/// The entries of a settings file, which is written in a part of TOML 1.0.
///
/// The part: comments, `[table]` headers of one bare word, and lines `key = value` whose key is a bare word and whose
/// value is a `"string"` with TOML's escapes, a `'literal string'`, `true` or `false`, a decimal integer, a decimal
/// number with a point, or a list of strings, which may go over several lines. What is accepted means the same to
/// every reader of TOML; everything else (dotted and quoted keys, inline tables, lists of tables, strings over several
/// lines, dates, other number forms) is refused with its line and column. At most ``longest`` bytes are read, and
/// nothing nests, so that time and memory grow with the length of the file alone.
///
/// A reader of our own instead of TOMLKit: each value needs its line for `config --explain`, which TOMLKit does not
/// hand on from the C++ parser that it wraps; a NUL ends its text early; and it would bring the C++ library into a
/// program that is otherwise linked statically. A test compares with Python's `tomllib` what both accept.
struct SettingsText: Sendable {
    enum Value: Hashable, Sendable {
        case text(String)
        case flag(Bool)
        case integer(Int)
        case number(Double)
        case list([String])
    }

    struct Entry: Hashable, Sendable {
        /// The word in the header above it, if there is one.
        var table: String?
        var key: String
        var value: Value
        /// Of the key.
        var place: Place

        /// `table.key`.
        var name: String { table.map { "\($0).\(key)" } ?? key }
    }

    /// A header, whether it has entries or not.
    struct Table: Hashable, Sendable {
        var name: String
        var place: Place
    }

    /// Both from 1 on, the column in characters.
    struct Place: Hashable, Sendable {
        var line: Int
        var column: Int
    }

    /// Bytes of a file.
    static let longest = 65_536

    private(set) var entries: [Entry] = []
    private(set) var tables: [Table] = []

    init(_ bytes: [UInt8], file: String) throws(SettingsError) {
        var reader = try SettingsCursor(bytes, file: file)
        var table: String?
        /// Keys and tables share their names.
        var names: Set<String> = []
        while !reader.isAtEnd {
            reader.skipBlanks()
            if try reader.skipLineEnd() { continue }
            let start = reader.place
            if reader.take("[") {
                let name = try header(&reader)
                guard names.insert(name).inserted else {
                    throw reader.error(at: start, name, "a new table", "it again")
                }
                tables.append(Table(name: name, place: start))
                table = name
            } else {
                let key = try reader.word("a key, a [table] or a comment")
                let name = table.map { "\($0).\(key)" } ?? key
                guard names.insert(name).inserted else { throw reader.error(at: start, name, "it once", "it again") }
                reader.skipBlanks()
                if reader.peek == UInt8(ascii: ".") {
                    throw reader.error(
                        "syntax", "= after \(key)", "a dotted key", remedy: "write [\(key)] above its keys")
                }
                guard reader.take("=") else { throw reader.error("syntax", "= after \(key)", reader.found) }
                reader.skipBlanks()
                entries.append(Entry(table: table, key: key, value: try reader.value(), place: start))
            }
            reader.skipBlanks()
            guard try reader.skipLineEnd() else { throw reader.error("syntax", "the end of the line", reader.found) }
        }
    }

    private func header(_ reader: inout SettingsCursor) throws(SettingsError) -> String {
        if reader.peek == UInt8(ascii: "[") {
            throw reader.error("syntax", "the name of a table", "a list of tables")
        }
        reader.skipBlanks()
        let name = try reader.word("the name of a table")
        reader.skipBlanks()
        guard reader.take("]") else { throw reader.error("syntax", "] after \(name)", reader.found) }
        return name
    }
}
