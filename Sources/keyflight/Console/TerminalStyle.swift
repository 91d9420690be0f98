import Libc
import TraceReports

extension Console {
    /// The style of reports for people here.
    var style: ReportStyle {
        ReportStyle(
            width: width, usesColour: usesColour, isASCII: settings.ascii)
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
