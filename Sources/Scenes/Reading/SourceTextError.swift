import KeyModel
import ResponderKit

/// An error in a scene or a key script, with its place: one line for the person who wrote it.
public struct SourceTextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path as it was given.
    public var file: String
    /// 1-based.
    public var line: Int
    /// The subject of the problem: the path of a key such as `responders[2].kind`, or a script's step.
    public var subject: String
    public var expected: String
    public var found: String
    /// The remedy, where that is not obvious.
    public var remedy: String?

    /// `FILE: line N: SUBJECT: expected …, found …`, and the remedy after `; `.
    public var description: String {
        let what = subject.isEmpty ? "" : "\(subject): "
        let help = remedy.map { "; \($0)" } ?? ""
        return "\(file): line \(line): \(what)expected \(expected), found \(found)\(help)"
    }
}

extension SourceTextError {
    /// Text of a file in a message: in quotes, control characters as escapes, cut after 60 characters.
    static func quoted(_ text: String) -> String { PropertyListError.quoted(text) }
}

/// Decoding of a source file's bytes.
enum SourceText {
    /// The text, without a byte order mark. Bytes that are not UTF-8 are an error at their line.
    static func decode(_ bytes: some Collection<UInt8>, file: String) throws(SourceTextError) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else {
            var line = 1
            for (original, repaired) in zip(bytes, text.utf8) {
                guard original == repaired else { break }
                if original == UInt8(ascii: "\n") { line += 1 }
            }
            throw SourceTextError(
                file: file, line: line, subject: "", expected: "UTF-8 text", found: "bytes that are not UTF-8")
        }
        if text.hasEndlessMarks {
            var line = 0
            for text in text.split(separator: "\n", omittingEmptySubsequences: false) {
                line += 1
                if String(text).hasEndlessMarks { break }
            }
            throw SourceTextError(
                file: file, line: line, subject: "", expected: "at most \(String.mostMarks) combining marks in a row",
                found: "more")
        }
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }
}
