import ArgumentParser

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The command line's own description of a verb: the same source as that of `--help` and of completions.
struct CommandDescription: Decodable {
    struct Name: Decodable {
        var kind: String
        var name: String

        var written: String { (kind == "long" ? "--" : "-") + name }
    }

    struct Argument: Decodable {
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
    }

    var commandName: String
    var abstract: String?
    var discussion: String?
    var subcommands: [CommandDescription]?
    var arguments: [Argument]?

    /// The program, with its verbs.
    static func ofProgram() throws -> CommandDescription {
        struct Dump: Decodable { var command: CommandDescription }
        return try JSONDecoder().decode(Dump.self, from: Data(Keyflight._dumpHelp().utf8)).command
    }
}
