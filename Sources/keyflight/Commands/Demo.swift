import ArgumentParser

struct Demo: Verb {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "The whole story on a keyboard capture inside the program.",
        discussion: "A capture becomes a trace, is replayed through a scene, measured, and one press is explained.")

    @Option(help: "Write the capture, the scene and the recorded replay into this folder instead.")
    var save: String?
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func perform(on console: Console) throws -> ExitStatus {
        let story = try DemoStory(on: console)
        if let save { try story.save(in: save) } else { try story.tell() }
        return .fine
    }
}
