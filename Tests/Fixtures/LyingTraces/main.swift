import GeneratedTraces
import Libc
import TraceFormat

// LyingTraces outsized FOLDER: a file of each kind of OutsizedTrace.
// LyingTraces FIRST COUNT FOLDER SAMPLE…: traces of these seeds, made from the samples, each FOLDER/SEED.keyflight.

func save(_ path: String, _ write: (@escaping TraceWriter.Sink) throws -> Void) throws {
    let output = try TraceFileOutput(publishingTo: path, replacing: .regularFile)
    try write { try output.write($0) }
    try output.publish()
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 2, arguments[0] == "outsized" {
    for kind in OutsizedTrace.allCases {
        try save("\(arguments[1])/\(kind.rawValue).keyflight") { try kind.write(to: $0) }
    }
} else if arguments.count >= 3, let first = UInt64(arguments[0]), let count = UInt64(arguments[1]) {
    let samples = try arguments.dropFirst(3).map { try TraceFile.read($0).withBytes { Array($0) } }
    for seed in first..<first + count {
        let bytes = try LyingTrace.bytes(seed: seed, samples: samples)
        try save("\(arguments[2])/\(seed).keyflight") { sink in try bytes.withUnsafeBytes { try sink($0) } }
    }
} else {
    print("LyingTraces: expected outsized FOLDER, or FIRST COUNT FOLDER SAMPLE…")
    exit(64)
}
