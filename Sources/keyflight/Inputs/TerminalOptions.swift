import ArgumentParser

/// The policy for coloured reports.
enum ColorPolicy: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}

/// Options of every verb about the terminal.
struct TerminalOptions: ParsableArguments {
    @Option(help: "Colour: auto, always or never; else NO_COLOR, CLICOLOR_FORCE and FORCE_COLOR decide.")
    var color: ColorPolicy?
    @Flag(help: "Reports without glyphs: Cmd+W for ⌘W.")
    var ascii = false
    @Flag(help: "Long output goes to the terminal itself, not through PAGER.")
    var noPager = false
    @Flag(help: "Long work does not say how far it is.")
    var noProgress = false

    func apply(to console: Console) throws {
        if let color { try console.settings.set(.color, to: color.rawValue, from: .flag("--color")) }
        if ascii { try console.settings.set(.ascii, to: "true", from: .flag("--ascii")) }
        if noPager { try console.settings.set(.pager, to: "false", from: .flag("--no-pager")) }
        if noProgress { try console.settings.set(.progress, to: "false", from: .flag("--no-progress")) }
    }
}
