import ArgumentParser

struct Manual: Verb {
    static let configuration = CommandConfiguration(verb: "man")

    @Argument(help: "A verb; without one, the page of the program.") var verb: String?
    @Flag(help: "The names of all pages.") var list = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        if verb != nil, list { throw ValidationError("Give either a verb or --list.") }
    }

    var usesSettings: Bool { false }

    func perform(on console: Console) throws -> ExitStatus {
        let pages = try ManualPage.all()
        if list {
            for page in pages { try console.output.line(page.name) }
            return .fine
        }
        let wanted = verb.map { "keyflight-\($0)" } ?? "keyflight"
        guard let page = pages.first(where: { $0.name == wanted }) else {
            throw Failure(.usage, "keyflight man: verb: expected one that keyflight help lists, found \(verb ?? "")")
        }
        try console.output.write(page.text)
        return .fine
    }
}
