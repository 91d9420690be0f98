import ArgumentParser
import TraceFormat

/// The command line's own description of a verb: the same source as that of `--help` and of completions.
struct CommandDescription: JSONReadable {
    struct Name: JSONReadable {
        var kind: String
        var name: String

        init(json: JSONTree) throws { (kind, name) = try (json.member("kind"), json.member("name")) }

        var written: String { (kind == "long" ? "--" : "-") + name }
    }

    struct Argument: JSONReadable {
        var kind: String
        var shouldDisplay: Bool
        var sectionTitle: String?
        var isOptional: Bool
        var isRepeating: Bool
        var names: [Name]?
        var valueName: String?
        var defaultValue: String?
        var allValues: [String]?
        var abstract: String?
        var discussion: String?

        var isPositional: Bool { kind == "positional" }
        var takesValue: Bool { kind == "option" }

        init(json: JSONTree) throws {
            (kind, shouldDisplay) = try (json.member("kind"), json.member("shouldDisplay"))
            (isOptional, isRepeating) = try (json.member("isOptional"), json.member("isRepeating"))
            (sectionTitle, names) = try (json.member("sectionTitle"), json.member("names"))
            (valueName, defaultValue) = try (json.member("valueName"), json.member("defaultValue"))
            allValues = try json.member("allValues")
            (abstract, discussion) = try (json.member("abstract"), json.member("discussion"))
        }
    }

    var commandName: String
    var abstract: String?
    var discussion: String?
    var subcommands: [CommandDescription]?
    var arguments: [Argument]?

    init(json: JSONTree) throws {
        (commandName, subcommands) = try (json.member("commandName"), json.member("subcommands"))
        (abstract, discussion) = try (json.member("abstract"), json.member("discussion"))
        arguments = try json.member("arguments")
    }

    /// The program, with its verbs.
    static func ofProgram() throws -> CommandDescription {
        try JSONTree(Array(Keyflight._dumpHelp().utf8)).member("command")
    }
}
