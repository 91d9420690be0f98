import KeyModel
import ResponderEngine
import ResponderKit

/// Keys about the place of a responder, and about its answers.
extension ResponderDescription {
    static let placeKeys = [
        SceneKeyGroup { Key("next", \.next, .id) },
        SceneKeyGroup("views", { $0.isView }) {
            Key("superview", \.containment.superview, .id)
            Key("focusable", \.isFocusable, .flag) { (view: View, value) in view.isFocusable = value }
            Key("focusGroup", \.focusGroup, .name("a group's name")) { (view: View, group) in
                view.focusGroupIdentifier = group
            }
        },
        SceneKeyGroup("window", { $0.base == .window }) {
            Key("rootViewController", \.containment.rootViewController, .id)
            Key("windowScene", \.containment.windowScene, .id)
            Key("keyWindow", \.containment.isKeyWindow, .flag)
        },
        SceneKeyGroup("window and windowScene", { $0.base == .window || $0.base == .windowScene }) {
            Key("application", \.containment.application, .id)
        },
        SceneKeyGroup("windowScene", { $0.base == .windowScene }) {
            Key("closureConfirmation", \.closureConfirmation, .flag, sets: \WindowScene.asksBeforeClosing)
            Key("interactive", \.isInteractive, .flag, sets: \WindowScene.isInteractive)
        },
        SceneKeyGroup("application", { $0.base == .application }) { Key("delegate", \.containment.delegate, .id) },
        SceneKeyGroup("keyboardApplication", { $0 == .keyboardApplication }) {
            Key("supportsMultipleScenes", \.supportsMultipleScenes, .flag,
                sets: \KeyboardApplication.supportsMultipleScenes)
            Key("hasSettings", \.hasSettings, .flag, sets: \KeyboardApplication.hasSettings)
        },
    ]

    static let answerKeys = [
        SceneKeyGroup {
            Key("title", \.title, .text, unless: "")
            Key("keyCommands", \.keyCommands, commands)
            Key("variants", \.variants, SceneCodec { value throws(SourceTextError) in
                try value.variants("key commands", besides: "keyCommands", "list", commands.read)
            })
            Key("keyCommandsPerRead", read: readCommandsPerRead)
            Key("actions", \.actions, SceneCodec(readActions))
            Key("canPerform", \.canPerform, SceneCodec { value throws(SourceTextError) in
                try value.named("a map from a selector to true or false", selector.read, PerformAnswer.read)
            })
            Key("castsSender", \.castsSender, .list("a list of selectors", of: .selector))
        },
        SceneKeyGroup("all but the application, whose menu is the scene's mainMenu", { $0.base != .application }) {
            Key("buildMenu", \.buildMenu, SceneCodec(MenuDescription.readBar))
        },
        SceneKeyGroup {
            Key("cost", \.cost, SceneCodec { value throws(SourceTextError) in
                try value.named("a map from a call to a duration", readCall, SceneCodec<TraceDuration>.duration.read)
            })
            Key("inputView", \.inputView, .height)
            Key("inputAccessoryView", \.inputAccessoryView, .height)
            Key("canBecomeFirstResponder", \.canBecomeFirstResponder, .flag)
            Key("swallowsPresses", \.swallowsPresses, SwallowedPresses.codec, unless: SwallowedPresses.none)
            Key("keyEquivalents", \.keyEquivalents, commands)
            // The same answer under the name that it has in AppKit.
            Key("keyDown") { value, _, responder throws(SourceTextError) in
                guard responder.swallowsPresses == .none else {
                    throw value.error("keyDown or swallowsPresses, not both")
                }
                if try value.choice(KeyDownAnswer.self) == .handled { responder.swallowsPresses = .all }
            }
        },
    ]

    private static let selector = SceneCodec<String>.selector
    private static let commands = SceneCodec<[CommandDescription]> { value throws(SourceTextError) in
        value.isNull ? [] : try value.list("a list of key commands", CommandDescription.read)
    }

    private enum KeyDownAnswer: String, CaseIterable { case handled, forwarded }

    @Sendable private static func readCommandsPerRead(
        _ value: YAMLValue, _ map: YAMLMap, _ responder: inout ResponderDescription
    ) throws(SourceTextError) {
        for name in try value.list("a list of variants") {
            let variant = try name.name("a variant's name")
            guard variant == "keyCommands" || responder.variants.value(named: variant) != nil else {
                throw name.error("one of the responder's variants")
            }
            responder.keyCommandsPerRead.append(variant)
        }
    }

    @Sendable private static func readActions(_ value: YAMLValue) throws(SourceTextError) -> [Named<[ContextStep]>] {
        if case .sequence = value.node.content {
            var seen: Set<String> = []
            return try value.list().map { entry throws(SourceTextError) in
                let selector = try entry.selector()
                guard seen.insert(selector).inserted else { throw entry.error("each selector once") }
                return Named(selector, [])
            }
        }
        return try value.named("a list of selectors, or a map from selectors to steps", selector.read) {
            steps throws(SourceTextError) in
            steps.isNull ? [] : try steps.list("a list of steps", ContextStep.read)
        }
    }

    @Sendable private static func readCall(_ value: YAMLValue) throws(SourceTextError) -> String {
        let expected = "keyCommands, canPerformAction, validate, buildMenu, presses or a selector"
        let name = try value.name(expected)
        guard DeclaredCall(name: name) != nil else { throw value.error(expected) }
        return name
    }
}

extension ResponderDescription.SwallowedPresses {
    fileprivate static let codec = SceneCodec<Self>({ value throws(SourceTextError) in
        guard case .sequence = value.node.content else {
            guard let scalar = value.node.scalar, let all = Bool(scalar.string) else {
                throw value.error("true, false or a list of keys")
            }
            return all ? .all : .none
        }
        return .keys(
            try value.list("a list of keys") { entry throws(SourceTextError) in
                guard let usage = KeyUsage(name: try entry.string("a key's name")) else {
                    throw entry.error("a key's name such as Escape")
                }
                return usage
            })
    }, write: { answer in
        switch answer {
        case .none: "false"
        case .all: "true"
        case .keys(let keys): SceneScalar.list(keys.map { SceneScalar.text($0.name) })
        }
    })
}

extension ResponderDescription.PerformAnswer {
    /// `true`, `false`, or `[{sender: none, answer: true}, {sender: command, answer: false}]`.
    @Sendable fileprivate static func read(_ value: YAMLValue) throws(SourceTextError) -> Self {
        guard case .sequence = value.node.content else { return Self(try value.bool()) }
        var answers = Self(toCommands: nil, toOthers: nil)
        for entry in try value.list() {
            var map = try entry.map("an answer such as {sender: command, answer: false}")
            let sender = try map.take(required: "sender", "none or command")
            let isCommand = try sender.choice(Sender.self) == .command
            let known = isCommand ? answers.toCommands : answers.toOthers
            guard known == nil else { throw sender.error("each sender once") }
            let answer = try map.take(required: "answer", "true or false").bool()
            if isCommand { answers.toCommands = answer } else { answers.toOthers = answer }
            try map.finish()
        }
        return answers
    }

    private enum Sender: String, CaseIterable { case none, command }
}
