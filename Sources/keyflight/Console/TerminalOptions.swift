import ArgumentParser
import Libc
import TraceReports

/// The policy for coloured reports.
enum ColorPolicy: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}

/// Options of every verb about the terminal.
struct TerminalOptions: ParsableArguments {
    @Option(help: "Colour: auto, always or never; else NO_COLOR, CLICOLOR_FORCE and FORCE_COLOR decide.")
    var color: ColorPolicy?
    @Flag(help: "Reports without glyphs: Cmd+W for ⌘W.") var ascii = false
    @Flag(help: "Long output goes to the terminal itself, not through PAGER.") var noPager = false
    @Flag(help: "Long work does not say how far it is.") var noProgress = false

    func apply(to console: Console) {
        if let color { console.settings.color = color }
        if ascii { console.settings.ascii = true }
        if noPager { console.settings.pager = false }
        if noProgress { console.settings.progress = false }
    }
}

extension Console {
    /// The style of reports for people here.
    var style: ReportStyle {
        ReportStyle(width: width, usesColour: usesColour, isASCII: settings.ascii)
    }

    /// `--color` or `KEYFLIGHT_COLOR` decides; then `NO_COLOR`, `CLICOLOR_FORCE` and `FORCE_COLOR`; then whether a
    /// terminal with escapes shows it.
    private var usesColour: Bool {
        switch settings.color {
        case .always: return true
        case .never: return false
        case .auto, nil: break
        }
        if environment.isThere("NO_COLOR") { return false }
        if environment.isSet("CLICOLOR_FORCE") || environment.isSet("FORCE_COLOR") { return true }
        if environment.variable("FORCE_COLOR") == "0" { return false }
        return isTerminal && !environment.hasDumbTerminal
    }

    /// `COLUMNS` where it is set, else the width that the terminal reports; `nil` in a pipe and a file.
    private var width: Int? {
        if let columns = environment.variable("COLUMNS").flatMap({ Int($0) }), (1...10_000).contains(columns) {
            return columns
        }
        return isTerminal ? columns(of: 1) : nil
    }

    /// The width that the terminal behind a descriptor reports.
    func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
