import RegressionGate
import TraceFormat

extension TemporaryFolder {
    /// Puts what `body` writes into a file of the folder, in the place of one that is there.
    /// - Returns: The number of bytes.
    @discardableResult
    func write(_ name: String, _ body: (@escaping TraceWriter.Sink) throws -> Void) throws -> Int {
        func writing<R>(_ step: () throws(TraceError) -> R) throws -> R {
            do throws(TraceError) { return try step() } catch { throw Failure(writing: error) }
        }
        let file = try writing { () throws(TraceError) in
            try TraceFileOutput(publishingTo: "\(path)/\(name)", replacing: .regularFile)
        }
        var count = 0
        try body { bytes in
            try writing { () throws(TraceError) in try file.write(bytes) }
            count += bytes.count
        }
        try writing { () throws(TraceError) in try file.publish() }
        return count
    }
}
