import Foundation

/// A tab bar with ⌘W and ⌘T, as a scene, for the verbs that judge.
enum TabsApp {
    static func scene(_ action: String = "closeTab:", profile: String = "ios15") -> String {
        """
        scene: 1
        name: tabs
        profile: \(profile)
        responders:
          - {id: view, kind: view, next: tabs, canBecomeFirstResponder: true}
          - id: tabs
            kind: viewController
            next: win
            actions: ["closeTab:", "newTab:", "close:"]
            keyCommands:
              - {input: w, modifiers: [command], action: "\(action)"}
              - {input: t, modifiers: [command], action: "newTab:"}
            cost: {keyCommands: 100us, "closeTab:": 2ms}
          - {id: win, kind: window, keyWindow: true}
        firstResponder: view

        """
    }

    static func put(_ text: String, _ path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Files.write(Array(text.utf8), to: path)
    }
}
