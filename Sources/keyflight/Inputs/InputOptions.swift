import ArgumentParser
import CaptureImport

/// Options of every verb that reads an input.
struct InputOptions: ParsableArguments {
    @Argument(
        help: "A trace, a key script or a capture, told apart by content; - is standard input.", completion: .file())
    var input: String

    @OptionGroup var reading: ReadingOptions
}

/// Options for reading an input.
struct ReadingOptions: ParsableArguments {
    @Option(help: "A keyboard of a capture: its id, or BUS:ADDRESS[:ENDPOINT]. May be repeated; all unless given.")
    var device: [DeviceSelector] = []

    @Option(help: "The layout: us, fr, de, us:dvorak (Apple's), us:pc, …", completion: Completion.layouts)
    var layout: String?

    @Flag(help: "Keep the keys of a capture that type text in clear.") var showKeys = false
}

/// The format of printed reports.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

/// The format of printed lines: text, or an object a line.
enum LineFormat: String, ExpressibleByArgument, CaseIterable {
    case text, jsonl
}

extension [String] {
    /// - Throws: `ValidationError` for inputs of which more than one is standard input.
    func expectOneStream() throws {
        if count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input can be only one of them.") }
    }
}
