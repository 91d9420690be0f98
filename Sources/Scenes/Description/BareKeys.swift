import KeyModel
import ResponderKit

extension SceneInstance {
    /// The value of the fact `bareKeys`: what of the scene, at whatever time, takes a key that types text and is held
    /// without ⌘ and ⌃. `nil` for nothing.
    public var bareKeys: String? {
        let bindings = responders.compactMap { ($0 as? any DocumentTextInput)?.keyBindings }
        if bindings.contains(where: \.hasBareKeys) { return "keyBindings" }
        if scene.responders.contains(where: \.takesBareKeys) { return "presses" }
        let listed = scene.listedCommands.filter(\.hasBareKey)
        let menus = scene.menuCommands.filter(\.hasBareKey)
        if (listed + menus).contains(where: \.wantsPriority) { return "priorityCommands" }
        let items = scene.responders.map(\.controller).flatMap { $0.leadingItems + $0.trailingItems + $0.toolbarItems }
        let hasItem = items.contains { TextKeyClass.isBareKey($0.input, $0.modifiers) }
        return !menus.isEmpty ? "menuCommands" : listed.isEmpty && !hasItem ? nil : "commands"
    }
}

extension CommandDescription {
    fileprivate var hasBareKey: Bool {
        ([modifiers] + alternates.map(\.modifiers)).contains { TextKeyClass.isBareKey(input, $0) }
    }
}

extension ResponderDescription {
    /// Its handlers of presses, or a view of AppKit that is asked before text, take such a key.
    fileprivate var takesBareKeys: Bool {
        func isText(_ usage: KeyUsage) -> Bool { TextKeyClass(usage).map { $0 != .space } ?? false }
        let isSwallowed = switch swallowsPresses {
        case .none: false
        case .all: true
        case .keys(let keys): keys.contains(where: isText)
        }
        let isPrevented = switch hosted.preventedKeys {
        case .none?, nil: false
        case .all?: true
        case .chords(let chords)?:
            chords.contains { isText($0.usage) && $0.modifiers.isDisjoint(with: [.command, .control]) }
        }
        return isSwallowed || isPrevented || keyEquivalents.contains(where: \.hasBareKey)
            || hosted.keyPressHandlers.contains { handler in
                handler.result == .handled
                    && (handler.keys.isEmpty || handler.keys.contains { TextKeyClass.isBareKey($0, []) })
            }
    }
}
