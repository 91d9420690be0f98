import Libc
import RegressionGate

/// The time and the machine of a gate, for its history.
extension Gate {
    /// The time in UTC, as ISO 8601 has it.
    static var now: String {
        var seconds = time_t(nanoseconds(of: CLOCK_REALTIME) / 1_000_000_000)
        var (parts, text) = (tm(), [CChar](repeating: 0, count: 32))
        gmtime_r(&seconds, &parts)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    /// The processor and how many of them: times of others differ. The machine's name is no part of it.
    static var machine: String {
        let facts = (try? ByteFile.read("/proc/cpuinfo")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let model = facts.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last
        let name = model.map(\.trimmed) ?? "processor"
        return "\(name) × \(sysconf(Int32(_SC_NPROCESSORS_ONLN)))"
    }
}
