/// The command line of keyflight-bench.
struct BenchOptions {
    var workloads: [Workload] = []
    var runs = 10
    var isJSON = false
    var isQuick = false
    var action = Action.measure

    enum Action: Equatable {
        case measure, list, help, counters, statistics
        /// Compares the exact counters with this file.
        case check(String)
        /// Writes a capture with so many interrupt transfers.
        case writeCapture(String, transfers: Int)
        /// Writes a trace of at least so many bytes.
        case writeTrace(String, bytes: Int)
        /// Prints count and order of the key events of this capture.
        case checksum(String)
        /// Reads this trace so many times.
        case scan(String, rounds: Int)
        /// Walks the packets of this capture so many times.
        case walk(String, rounds: Int)
        /// Decodes this capture to key events so many times.
        case keys(String, rounds: Int)
        /// Decodes this trace, looks at no record, and prints how many there are.
        case decode(String)
    }

    static let usage = """
        keyflight-bench [WORKLOAD…] [--runs N] [--format text|json] [--quick]
        keyflight-bench [WORKLOAD…] --counters | --check FILE
        keyflight-bench --write-capture FILE TRANSFERS | --checksum CAPTURE | --scan TRACE ROUNDS
        keyflight-bench --walk CAPTURE ROUNDS | --keys CAPTURE ROUNDS | --write-trace FILE BYTES | --decode TRACE
        keyflight-bench --list | --help | --statistics

          --runs N         timed runs of each row, in turn (10); no interval below \(RunStatistics.runsForInterval)
          --quick          smaller inputs, 6 runs
          --counters       the exact counters only, as lines that --check compares
          --check FILE     compares the exact counters with FILE; exit 1 when they differ
          --write-capture  a usbmon pcap of a synthetic typist, the same bytes every time
          --write-trace    a trace of level calls, at least so long, and how many presses it holds
          --checksum       counts and order of the key events of a capture, as the floors print them
          --statistics     the gate's statistics of the samples on standard input, a line each
          --scan           reads a trace, and prints the nanoseconds that the fastest round took, and a processor's
          --walk           the same of a capture, whose packets are decoded unless their link type is not read
          --keys           decodes a capture to key events and binds them in order; writes nothing
          --decode         decodes a trace, piece by piece, and counts its records: the floor of whatever reads one

        """

    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        var hasRuns = false
        func value(_ option: String) throws -> String {
            guard let value = rest.popFirst() else { throw UsageError(description: "\(option) needs a value") }
            return value
        }
        func number(_ option: String) throws -> Int {
            let text = try value(option)
            guard let number = Int(text), number > 0 else {
                throw UsageError(description: "\(option): expected a number above 0, found \(text)")
            }
            return number
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--runs": (runs, hasRuns) = (try number(argument), true)
            case "--quick": isQuick = true
            case "--format": isJSON = try BenchOptions.isJSON(try value(argument))
            case "--list": action = .list
            case "--help", "-h": action = .help
            case "--counters": action = .counters
            case "--statistics": action = .statistics
            case "--check": action = .check(try value(argument))
            case "--write-capture": action = .writeCapture(try value(argument), transfers: try number(argument))
            case "--write-trace": action = .writeTrace(try value(argument), bytes: try number(argument))
            case "--checksum": action = .checksum(try value(argument))
            case "--scan": action = .scan(try value(argument), rounds: try number(argument))
            case "--walk": action = .walk(try value(argument), rounds: try number(argument))
            case "--keys": action = .keys(try value(argument), rounds: try number(argument))
            case "--decode": action = .decode(try value(argument))
            default:
                guard let workload = Workload(rawValue: argument) else {
                    let names = Workload.allCases.map(\.rawValue).joined(separator: ", ")
                    throw UsageError(description: "expected \(names) or an option, found \(argument)")
                }
                if !workloads.contains(workload) { workloads.append(workload) }
            }
        }
        if workloads.isEmpty { workloads = Workload.allCases }
        if isQuick, !hasRuns { runs = RunStatistics.runsForInterval }
    }

    private static func isJSON(_ format: String) throws -> Bool {
        switch format {
        case "json": return true
        case "text": return false
        default: throw UsageError(description: "--format: expected text or json, found \(format)")
        }
    }
}
