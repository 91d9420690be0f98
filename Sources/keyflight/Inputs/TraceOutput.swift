import TraceFormat

/// Where a verb writes a trace, or a text: a file that appears whole or not at all, or standard output.
struct TraceOutput {
    /// `-` is standard output.
    var path: String
    /// Replaces a regular file that is there.
    var replaces: Bool
    /// Text may be shown in a terminal.
    var isText = false

    /// Hands `body` a sink for the bytes. What `body` wrote is published unless it returns `false` or throws.
    func write(_ console: Console, _ body: (@escaping TraceWriter.Sink) throws -> Bool) throws {
        if path == "-" {
            if console.isTerminal, !isText {
                throw Failure(
                    .terminalOutput,
                    "standard output: a trace: expected a file or a pipe, found a terminal; name a file with -o")
            }
            _ = try body { try console.output.write($0) }
            return
        }
        let file: TraceFileOutput
        do {
            file = try TraceFileOutput(publishingTo: path, replacing: replaces ? .regularFile : .nothing)
        } catch {
            throw Failure(writing: error)
        }
        Interruption.fileToRemove(file.temporary)
        defer {
            file.discard()
            Interruption.fileToRemove(nil)
        }
        let isWanted = try body { bytes in
            do throws(TraceError) { try file.write(bytes) } catch { throw Failure(writing: error) }
        }
        guard isWanted else { return }
        do throws(TraceError) { try file.publish(isDurable: true) } catch { throw Failure(writing: error) }
    }
}
