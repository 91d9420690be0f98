import ArgumentParser

struct Demo: Verb {
    static let configuration = CommandConfiguration(verb: "demo")

    @Option(help: "Write the capture, the scene and the recorded replay into this folder instead.") var save: String?
    @Flag(help: "Replace files of the folder.") var force = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        try OutputDestination.check(save, "--save", "folder", takesStream: false)
        if force, save == nil { throw ValidationError("--force goes with --save only.") }
    }

    func perform(on console: Console) throws -> ExitStatus {
        let run = try DemoRun(on: console)
        if let save { try run.save(in: save, replaces: force) } else { try run.run() }
        return .fine
    }
}
