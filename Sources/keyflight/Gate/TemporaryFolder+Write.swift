import RegressionGate
import TraceFormat

extension TemporaryFolder {
    /// Puts what `body` writes into a file of the folder, in the place of one that is there.
    /// - Returns: The number of bytes.
    @discardableResult
    func write(_ name: String, _ body: (@escaping TraceWriter.Sink) throws -> Void) throws -> Int {
        let file = try Failure.writing {
            try TraceFileOutput(publishingTo: "\(path)/\(name)", replacing: .regularFile)
        }
        var count = 0
        try body { bytes in
            try Failure.writing { try file.write(bytes) }
            count += bytes.count
        }
        try Failure.writing { try file.publish() }
        return count
    }
}
