import KeyModel

/// The reason why a parameter could not be set.
public enum ProfileError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownParameter(String)
    case badValue(parameter: String, expected: String, found: String)
    /// A profile text that is wrong, at a 1-based line.
    case malformed(line: Int, expected: String, found: String)
    indirect case atLine(Int, ProfileError)

    public var description: String {
        switch self {
        case .unknownParameter(let name): "expected the name of a profile parameter, found \(name)"
        case .badValue(let name, let expected, let found): "\(name): expected \(expected), found \(found)"
        case .malformed(let line, let expected, let found): "line \(line): expected \(expected), found \(found)"
        case .atLine(let line, let error): "line \(line): \(error)"
        }
    }
}

/// One parameter: how it is printed and read.
struct ProfileParameter: Sendable {
    let name: String
    let expected: String
    let get: @Sendable (Profile) -> String
    let set: @Sendable (inout Profile, String) -> Bool
}

extension Profile {
    /// Every parameter of UIKit in the order of the contract, then those it does not name.
    public static var parameterNames: [String] { parameters.map(\.name) }

    /// The parameters that a recording names: those of recent systems where they differ from the rules before them.
    package var recordedParameters: [(name: String, value: String)] {
        guard appKit == nil else { return parameters }
        var before = self
        before.forgetRecentSystems()
        before.pressesSeenForMatchedCommands = pressesSeenForMatchedCommands
        let older = Profile.olderParameters.map { ($0.name, $0.get(self)) }
        let recent = Profile.recentParameters.filter { $0.get(before) != $0.get(self) }
        return older + recent.map { ($0.name, $0.get(self)) }
    }

    /// Each layout that a trace changes to asks for them.
    private static let valuesBefore = recentParameters.map { ($0, $0.get(Profile())) }

    /// Sets the parameters of recent systems as they were before them: a recording with parameters and none of these
    /// is older.
    package mutating func forgetRecentSystems() {
        for (parameter, value) in Profile.valuesBefore { _ = parameter.set(&self, value) }
    }

    /// Every parameter that counts under this profile with its value as text: those of its toolkit, in their order.
    public var parameters: [(name: String, value: String)] { own.map { ($0.name, $0.get(self)) } }

    private var own: [ProfileParameter] { appKit == nil ? Profile.parameters : Profile.appKitParameters }

    public func value(of name: String) -> String? { own.first { $0.name == name }?.get(self) }

    /// The values of a parameter in the shipped profiles: one that all have, else `false: ios7 ios9; true: ios13 …`.
    package static func values(of name: String) -> String {
        var groups: [(value: String, profiles: [String])] = []
        for profile in shippedNames {
            guard let value = named(profile)?.value(of: name) else { continue }
            if let index = groups.firstIndex(where: { $0.value == value }) {
                groups[index].profiles.append(profile)
            } else {
                groups.append((value, [profile]))
            }
        }
        if groups.count == 1 { return groups[0].value }
        return groups.map { "\($0.value): \($0.profiles.joined(separator: " "))" }.joined(separator: "; ")
    }

    /// Sets a parameter from its text: `true`/`false`, an integer, a duration with a unit, or one of its names.
    public mutating func set(_ name: String, to value: String) throws(ProfileError) {
        guard let parameter = own.first(where: { $0.name == name }) ?? Profile.toolkit(named: name) else {
            throw .unknownParameter(name)
        }
        guard parameter.set(&self, value) else {
            throw .badValue(parameter: name, expected: parameter.expected, found: value)
        }
    }

    private static func toolkit(named name: String) -> ProfileParameter? {
        name == toolkitParameter.name ? toolkitParameter : nil
    }

    static let parameters = olderParameters + recentParameters

    /// Parameters of iOS 26 and 27, which older profile files and recordings do not name.
    private static let recentParameters: [ProfileParameter] = [
        choice("commandsBeforePresses", \.commandsBeforePresses),
        choice("systemMenuBeforePriority", \.systemMenuBeforePriority),
        chords("systemMenuKeysBlock", \.systemMenuKeysBlock), chords("windowMenuKeys", \.windowMenuKeys),
        flag("closeActionAtScene", \.closeActionAtScene), flag("settingsCommand", \.settingsCommand),
        flag("requiresWindowScene", \.requiresWindowScene),
        flag("windowWithoutSceneGetsKeys", \.windowWithoutSceneGetsKeys), choice("menuPickStart", \.menuPickStart),
        flag("menuBarKeepsFirstResponder", \.menuBarKeepsFirstResponder),
        flag("menuBarRestoresFirstResponder", \.menuBarRestoresFirstResponder),
        choice("insertionDuplicate", \.insertionDuplicate),
        chords("automaticRepeatExceptions", \.automaticRepeatExceptions),
        flag("sheetResetsRepeatBehavior", \.sheetResetsRepeatBehavior),
        choice("closeConfirmation", \.closeConfirmation),
        flag("nonInteractiveSceneCanBeKey", \.nonInteractiveSceneCanBeKey), flag("multipleScenes", \.multipleScenes),
        choice("overlayDisabled", \.overlayDisabled), choice("overlayKeyless", \.overlayKeyless),
        choice("overlayUnplaced", \.overlayUnplaced),
    ]

    private static let olderParameters: [ProfileParameter] = [
        choice("stageOrder", \.stageOrder), flag("rawPresses", \.rawPresses), flag("repeats", \.repeats),
        choice("overlay", \.overlay), flag("localises", \.localises), flag("mirrors", \.mirrors),
        flag("blocksUnperformable", \.blocksUnperformable), passes, flag("queryOnKeyUp", \.queryOnKeyUp),
        flag("queryOnRepeatTick", \.queryOnRepeatTick),
        choice("startWithoutFirstResponder", \.startWithoutFirstResponder),
        flag("matchAlphaShift", \.matchAlphaShift), choice("keyWindowScope", \.keyWindowScope),
        flag("swallowBlocksSystem", \.swallowBlocksSystem),
        flag("pressesSeenForMatchedCommands", \.pressesSeenForMatchedCommands), choice("precedence", \.precedence),
        choice("mainMenuPosition", \.mainMenuPosition), flag("shiftedWithShift", \.shiftedWithShift),
        flag("priorityBeforeIME", \.priorityBeforeIME), flag("imeBeforeCommandsLegacy", \.imeBeforeCommandsLegacy),
        flag("modalFilterAffectsCollection", \.modalFilterAffectsCollection),
        duration("repeatDelay", \.repeatDelay), duration("repeatInterval", \.repeatInterval),
        flag("commandDotIsEscape", \.commandDotIsEscape), choice("alternatePrecedence", \.alternatePrecedence),
        modifierOrder, flag("laterDownEndsRepeat", \.laterDownEndsRepeat),
        flag("splitViewQueriesPrimary", \.splitViewQueriesPrimary),
        flag("applicationCommandsNeedSecondPress", \.applicationCommandsNeedSecondPress),
        flag("verticalArrowsDeadInTextView", \.verticalArrowsDeadInTextView),
        flag("emptyInputMatchesModifier", \.emptyInputMatchesModifier),
        flag("emptyFocusConsumes", \.emptyFocusConsumes), flag("escapeTakenByText", \.escapeTakenByText),
        choice("deepestResponderChildChoice", \.deepestResponderChildChoice),
        text("notificationOrder", \.notificationOrder), localisation,
        flag("filtersActionsOfPresenters", \.filtersActionsOfPresenters), flag("mainMenu", \.mainMenu),
        flag("builtinTextBeforeCommands", \.builtinTextBeforeCommands),
        chords("reservedChords", \.reservedChords), flag("honoursRepeatBehavior", \.honoursRepeatBehavior),
        flag("focusSystem", \.focusSystem), flag("keyboardScrolling", \.keyboardScrolling),
        flag("windowScenes", \.windowScenes),
        flag("applicationHandsBackFirstResponder", \.applicationHandsBackFirstResponder),
        flag("pasteAndMatchStyle", \.pasteAndMatchStyle),
        flag("deactivationCancelsKeys", \.deactivationCancelsKeys), flag("findKeys", \.findKeys),
        choice("systemBackCommand", \.systemBackCommand),
        flag("gestureRecognizersFailOnPresses", \.gestureRecognizersFailOnPresses),
        flag("menuBeforeText", \.menuBeforeText), flag("arrowsCarryNumericPad", \.arrowsCarryNumericPad),
        flag("macMenus", \.macMenus),
        choice("focusActivation", \.focusActivation),
        choice("hostedShortcuts", \.hostedShortcuts), choice("keyPressHandlers", \.keyPressHandlers),
        flag("observesApplicationCommands", \.observesApplicationCommands),
    ]

    typealias Path<Value> = any WritableKeyPath<Profile, Value> & Sendable

    static func flag(_ name: String, _ path: Path<Bool>) -> ProfileParameter {
        ProfileParameter(name: name, expected: "true or false") { $0[keyPath: path] ? "true" : "false" } set: {
            guard $1 == "true" || $1 == "false" else { return false }
            $0[keyPath: path] = $1 == "true"
            return true
        }
    }

    static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ path: Path<Value>
    ) -> ProfileParameter where Value.RawValue == String {
        let names = Value.allCases.map(\.rawValue)
        return ProfileParameter(name: name, expected: "one of \(names.joined(separator: " "))") {
            $0[keyPath: path].rawValue
        } set: {
            guard let value = Value(rawValue: $1) else { return false }
            $0[keyPath: path] = value
            return true
        }
    }

    static func duration(_ name: String, _ path: Path<TraceDuration>) -> ProfileParameter {
        ProfileParameter(name: name, expected: "a duration above 0 such as 400ms") { $0[keyPath: path].text } set: {
            guard let value = TraceDuration(text: $1), value.nanoseconds > 0 else { return false }
            $0[keyPath: path] = value
            return true
        }
    }

    private static func text(_ name: String, _ path: Path<String>) -> ProfileParameter {
        ProfileParameter(name: name, expected: "text") { $0[keyPath: path] } set: {
            $0[keyPath: path] = $1
            return true
        }
    }

    private static let passes = ProfileParameter(name: "passesPerKeyDown", expected: "an integer from 0 to 100") {
        String($0.passesPerKeyDown)
    } set: {
        guard let value = Int($1), (0...100).contains(value) else { return false }
        $0.passesPerKeyDown = value
        return true
    }

    private static let modifierOrder = ProfileParameter(name: "hudModifierOrder", expected: "⌃⌥⇧⌘ in some order") {
        $0.hudModifierOrder
    } set: {
        guard $1.count == 4, Set($1) == Set("⌃⌥⇧⌘") else { return false }
        $0.hudModifierOrder = $1
        return true
    }

    private static func chords(_ name: String, _ path: Path<ReservedChords>) -> ProfileParameter {
        ProfileParameter(name: name, expected: "chords such as cmd+space, blank-separated, or none") {
            $0[keyPath: path].text
        } set: {
            guard let chords = ReservedChords(text: $1) else { return false }
            $0[keyPath: path] = chords
            return true
        }
    }

    private static let localisation = ProfileParameter(
        name: "localisationTable", expected: "LAYOUT:X=Y entries, blank-separated"
    ) {
        $0.localisationTable
    } set: {
        guard CommandLocalisation.parse($1) != nil else { return false }
        $0.localisationTable = $1
        return true
    }
}

extension Profile {
    /// Reads `name: value` lines; a line that begins with `#` is a comment. The name of the profile is given as
    /// `profile: NAME`. Every parameter must be there, once, but for those of iOS 26 and 27; `toolkit: appkit` comes
    /// before the others of AppKit.
    public init(text: String) throws(ProfileError) {
        self.init()
        var given: Set<String> = []
        var number = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            let content = line.trimmingBlanks
            guard !content.isEmpty, !content.hasPrefix("#") else { continue }
            guard let colon = content.firstIndex(of: ":") else {
                throw .malformed(line: number, expected: "name: value", found: String(content))
            }
            let name = String(content[..<colon])
            let value = String(content[content.index(after: colon)...].trimmingBlanks)
            if name == "profile" {
                self.name = value
                continue
            }
            do { try set(name, to: value) } catch { throw .atLine(number, error) }
            guard given.insert(name).inserted else {
                throw .malformed(line: number, expected: "each parameter once", found: "\(name) again")
            }
        }
        let needed = appKit == nil ? Profile.olderParameters : own
        given.insert("pressesSeenForMatchedCommands")
        if let parameter = needed.first(where: { !given.contains($0.name) }) {
            throw .malformed(line: number, expected: "a value for \(parameter.name)", found: "none")
        }
    }

    /// The form that `init(text:)` reads.
    public var text: String {
        "profile: \(name)\n" + parameters.map { "\($0.name): \($0.value)\n" }.joined()
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = drop { $0 == " " || $0 == "\t" || $0 == "\r" }
        while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
        return text
    }
}
