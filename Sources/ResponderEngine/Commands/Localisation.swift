import KeyModel

/// The key that a command is really on: automatic localisation (spec MT-7) and mirroring (spec MT-8). The command
/// itself keeps its original input.
struct CommandLocalisation {
    private var moved: [CommandInput: CommandInput] = [:]

    /// The entries of a table that apply to a layout: those whose original character no key of it has plainly.
    init(table: String, layout: Layout) {
        let language = layout.name.prefix { $0 != ":" }
        for entry in CommandLocalisation.parse(table) ?? [] where entry.layout == language {
            guard layout.usage(ofPlain: entry.from) == nil else { continue }
            moved[CommandInput(entry.from)] = CommandInput(entry.to)
        }
    }

    func input(_ input: CommandInput) -> CommandInput { moved[input] ?? input }

    /// `de:[=ö de:]=ä`; `nil` when an entry has another form.
    static func parse(_ table: String) -> [(layout: Substring, from: String, to: String)]? {
        var entries: [(layout: Substring, from: String, to: String)] = []
        for word in table.split(separator: " ") {
            guard let colon = word.firstIndex(of: ":") else { return nil }
            let pair = Array(word[word.index(after: colon)...])
            guard pair.count == 3, pair[1] == "=", colon > word.startIndex else { return nil }
            entries.append((word[..<colon], String(pair[0]), String(pair[2])))
        }
        return entries
    }

    /// Pairs that change sides in a right-to-left interface.
    static let mirrored: [CommandInput: CommandInput] = {
        var table: [CommandInput: CommandInput] = [:]
        let arrows = (KeyCommand.inputLeftArrow, KeyCommand.inputRightArrow)
        for (left, right) in [("[", "]"), ("{", "}"), ("(", ")"), ("<", ">"), arrows] {
            table[CommandInput(left)] = CommandInput(right)
            table[CommandInput(right)] = CommandInput(left)
        }
        return table
    }()
}

/// What moves the inputs of commands, found once for a list of them.
struct InputMoves {
    /// `nil` where commands are not localised.
    let localisation: CommandLocalisation?
    let mirrors: Bool

    /// Opting out of localisation opts out of mirroring too (spec MT-7).
    func input(of command: KeyCommand) -> CommandInput {
        guard command.allowsAutomaticLocalization else { return command.commandInput }
        return input(command.commandInput, isMirrored: command.allowsAutomaticMirroring)
    }

    func input(_ own: CommandInput, isMirrored: Bool) -> CommandInput {
        let input = localisation?.input(own) ?? own
        return mirrors && isMirrored ? CommandLocalisation.mirrored[input] ?? input : input
    }
}

extension KeyboardEngine {
    var inputMoves: InputMoves {
        InputMoves(
            localisation: profile.localises && delegateAllowsLocalisation ? rules.localisation : nil,
            mirrors: profile.mirrors && layoutDirection == .rtl)
    }

    /// The input under which a recorded command is searched here, where it has one.
    package func effectiveInput(of input: String, isLocalised: Bool, isMirrored: Bool) -> String {
        isLocalised ? inputMoves.input(CommandInput(input), isMirrored: isMirrored).text ?? input : input
    }
}
