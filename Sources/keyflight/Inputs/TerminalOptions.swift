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

    func apply(to console: Console) {
        if let color { console.settings.color = color }
        if ascii { console.settings.ascii = true }
        if noPager { console.settings.pager = false }
        if noProgress { console.settings.progress = false }
    }
}
