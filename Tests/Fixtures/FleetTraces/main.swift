import Foundation
import TraceFormat

// FleetTraces FOLDER [--count N] [--seed N] [--no-regression] [--bad]: sessions of an app as traces in a folder, the
// same bytes for the same options everywhere. In version 4.2 on system 26.0 the responder library is 15 % slower,
// unless --no-regression is given. --bad adds one of each sort of input that a table refuses.

func number(after name: String, otherwise: Int) -> Int {
    guard let place = CommandLine.arguments.firstIndex(of: name) else { return otherwise }
    guard place + 1 < CommandLine.arguments.count, let value = Int(CommandLine.arguments[place + 1]), value > 0 else {
        fail("\(name): expected a number above 0")
    }
    return value
}

func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(64)
}

guard CommandLine.arguments.count > 1, !CommandLine.arguments[1].hasPrefix("-") else {
    fail("usage: FleetTraces FOLDER [--count N] [--seed N] [--no-regression] [--bad]")
}
let folder = CommandLine.arguments[1]
let count = number(after: "--count", otherwise: 2_000)
let fleet = Fleet(
    seed: UInt64(number(after: "--seed", otherwise: 1)), installations: max(1, count / 4),
    hasRegression: !CommandLine.arguments.contains("--no-regression"))

func write(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: URL(filePath: "\(folder)/\(name).keyflight"))
}

try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
for session in 1...count {
    let digits = String(session)
    let name = "session-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    try write(try FleetSession.bytes(session, of: fleet), name)
}
if CommandLine.arguments.contains("--bad") {
    let whole = try FleetSession.bytes(1, of: fleet)
    var damaged = try FleetSession.bytes(count + 1, of: fleet)
    damaged[damaged.count / 2] ^= 0x55
    try write(damaged, "x-damaged")
    try write(Array(try FleetSession.bytes(count + 2, of: fleet).dropLast(40)), "x-torn")
    try write(whole, "x-duplicate")
    try write([], "x-empty")
    try write(Array("no trace at all\n".utf8), "x-foreign")
    try write(try FleetSession.bytes(count + 3, of: fleet, isMasked: false), "x-unmasked")
}
