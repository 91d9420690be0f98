import ArgumentParser
import FlightIntake
import SystemPackage

struct Import: Verb {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Captures of keyboards become one trace.",
        discussion: """
            Reads pcap and pcapng captures of usbmon (link types 189 and 220) and of USBPcap (249). Text is masked: of \
            a key that types text only its class is kept. Modifiers, Return, arrows and the letters of ⌘ and ⌃ chords \
            stay. A damaged capture gives what is whole and status 2, one without a keyboard gives nothing and status 3.
            """)

    @Argument(help: "Captures; - is standard input. Several are joined by their clocks.")
    var captures: [String]
    @Option(name: [.short, .long], help: "The trace to write; - is standard output.")
    var output: String
    @Option(help: "A keyboard to take: its id, or BUS:ADDRESS[:ENDPOINT]. May be repeated; all unless given.")
    var device: [DeviceSelector] = []
    @Option(help: "The layout that the keyboard was used with: us, fr, us:dvorak, …")
    var layout: String?
    @Flag(help: "Keep the keys that type text in clear.")
    var showKeys = false
    @Flag(help: "Replace OUTPUT if it is a regular file.")
    var force = false

    func validate() throws {
        if output.isEmpty { throw ValidationError("Name a file with -o.") }
    }

    func perform(on console: Console) throws -> ExitStatus {
        var job = CaptureImport()
        job.showsKeys = showKeys
        job.selection = device
        job.layout = try layout.map { try LayoutChoice.named($0) }
        let inputs = try captures.map { path in
            // A file is read through a window: captures may be larger than memory.
            path == "-"
                ? CaptureImport.Input(name: "standard input", .bytes(try console.readStandardInput()))
                : CaptureImport.Input(name: path, .file(FilePath(path)))
        }
        var result: ImportResult?
        try TraceOutput(path: output, replaces: force).write(console) { sink in
            do {
                result = try job.run(inputs, to: sink)
            } catch let error as ImportError {
                if let code = error.systemCode { throw ByteFile.failure(Errno(rawValue: code), error.input) }
                throw Failure(.damaged, error.description)
            }
            if case .imported = result { return true }
            return false
        }
        return result.map { Import.report($0, inputs.first?.name ?? "", console) } ?? .defect
    }

    /// Notes on standard error, and the status.
    static func report(_ result: ImportResult, _ name: String, _ console: Console) -> ExitStatus {
        var isEmpty = false
        if case .noKeyboard = result { isEmpty = true }
        for damage in result.damage {
            console.note("\(damage); what is whole \(isEmpty ? "holds no keyboard" : "was read")")
        }
        let status: ExitStatus = result.damage.isEmpty ? .fine : .damaged
        switch result {
        case .imported(let summary):
            for note in summary.notes { console.note(note) }
            return status
        case .noKeyboard(let nothing):
            guard nothing.damage.isEmpty else { return status.joined(with: .nothingMatched) }
            console.note("\(name): keyboard: expected one, found none: \(nothing.reason)")
            return status.joined(with: .nothingMatched)
        }
    }
}
