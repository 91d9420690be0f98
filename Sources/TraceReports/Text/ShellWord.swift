/// Words of a command that is printed to be copied.
package enum ShellWord {
    /// The word as a POSIX shell reads it back: bare where it can be, else in single quotes. Characters that could act
    /// on a terminal are escaped, and what is beyond 4,096 characters is cut.
    package static func quoted(_ word: String) -> String {
        let shown = SafeText.escaped(word, limit: 4096)
        let isPlain = shown.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
                || "-_./=:@%+,".utf8.contains(byte)
        }
        guard !isPlain || shown.isEmpty else { return shown }
        return "'" + shown.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
