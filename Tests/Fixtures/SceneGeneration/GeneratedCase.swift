/// A generated scene and key script, as values: what fails can be made smaller piece by piece.
package struct GeneratedCase: Hashable, Sendable {
    package struct Command: Hashable, Sendable {
        package var input: String
        package var modifiers: String
        package var action: String
        package var isPriority = false
        package var isDisabled = false
        package var alternate: String?

        func text(title: String? = nil) -> String {
            var text = "{input: \(input), modifiers: [\(modifiers)], action: \"\(action)\""
            if let title { text += ", title: \(title)" }
            if isPriority { text += ", wantsPriority: true" }
            if isDisabled { text += ", attributes: [disabled]" }
            if let alternate { text += ", alternates: [{modifiers: [option], action: \"\(alternate)\"}]" }
            return text + "}"
        }
    }

    /// A link of the chain; the one before it in the list goes on to it.
    package struct Member: Hashable, Sendable {
        package var id: String
        package var kind: String
        package var commands: [Command]
        package var busy: [Command]
        package var actions: [String]
        package var swallows = false
    }

    /// A line of the script, with what announces the change that it makes.
    package struct Step: Hashable, Sendable {
        package var line: String
        package var announcement: String?
        /// Who must be there for it.
        package var mentions: [String] = []
    }

    package var profile = "ios15"
    package var members: [Member] = []
    /// The same in a second window; without any there is none.
    package var others: [Member] = []
    package var hasField = true
    package var first = "field"
    package var applicationCommands: [Command] = []
    package var applicationActions: [String] = []
    package var menu: [Command] = []
    package var otherMenu: [Command] = []
    package var steps: [Step] = []
    /// What changes is announced.
    package var announces = true

    /// The scene as YAML.
    package var scene: String {
        var text = "scene: 1\nname: generated\nprofile: \(profile)\nresponders:\n"
        if hasField { text += "  - {id: field, kind: textField, next: \(members.first?.id ?? "win")}\n" }
        text += chain(members, to: "win") + chain(others, to: "panel")
        text += "  - {id: win, kind: window, next: app, keyWindow: true}\n"
        if !others.isEmpty { text += "  - {id: panel, kind: window, next: app}\n" }
        text += "  - id: app\n    kind: application\n"
        text += list("    keyCommands", applicationCommands)
        text += "    actions: [\(applicationActions.map { "\"\($0)\"" }.joined(separator: ", "))]\n"
        if !menu.isEmpty { text += "mainMenu:\n  - menu: edit\n" + entries("    children", menu) }
        if !otherMenu.isEmpty {
            text += "mainMenuVariants:\n  other:\n    - menu: edit\n" + entries("      children", otherMenu)
        }
        return text + "firstResponder: \(first)\n"
    }

    private func chain(_ members: [Member], to window: String) -> String {
        var text = ""
        for (place, member) in members.enumerated() {
            let next = place + 1 < members.count ? members[place + 1].id : window
            text += "  - id: \(member.id)\n    kind: \(member.kind)\n    next: \(next)\n"
            text += "    canBecomeFirstResponder: true\n"
            if member.swallows { text += "    swallowsPresses: true\n" }
            text += list("    keyCommands", member.commands)
            text += "    variants:\n" + list("      busy", member.busy) + "      idle: []\n"
            text += "    actions: [\(member.actions.map { "\"\($0)\"" }.joined(separator: ", "))]\n"
        }
        return text
    }

    private func list(_ key: String, _ commands: [Command]) -> String {
        if commands.isEmpty { return "\(key): []\n" }
        let indent = key.prefix { $0 == " " }
        return "\(key):\n" + commands.map { "\(indent)  - \($0.text())\n" }.joined()
    }

    private func entries(_ key: String, _ commands: [Command]) -> String {
        let indent = key.prefix { $0 == " " }
        return "\(key):\n"
            + commands.enumerated().map { "\(indent)  - \($1.text(title: "Item \($0)"))\n" }.joined()
    }

    /// The keys, a line each.
    package var script: String {
        steps.map { step in
            announces ? [step.line, step.announcement].compactMap(\.self).joined(separator: "\n") : step.line
        }.joined(separator: "\n")
    }

    /// Scene and script to paste into files.
    package var text: String { "# scene.yaml\n\(scene)\n# input.keys\n\(script)\n" }
}
