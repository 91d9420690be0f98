package import FlightReplay
import KeyModel
package import LatencyAnalysis
import ResponderEngine
package import Scenes

/// Declarations of a scene that no press shows.
package enum SceneDeclarations {
    /// Commands of responders that are in sight and on no chain: no press asks them.
    /// - Parameter asked: The responders that were asked in some focus context of the scene.
    package static func inspect(_ instance: SceneInstance, asked: Set<String>, into scanner: inout LintScanner) {
        // Nothing is asked in an app that building its menu ends.
        _ = instance.engine.mainMenu
        guard !instance.engine.hasEndedApp else { return }
        for responder in instance.responders where !asked.contains(responder.id) && isInSight(responder) {
            for command in responder.keyCommands ?? [] {
                guard let input = command.input, !input.isEmpty else { continue }
                let shortcut = OfferedCommandRules.words(command.modifierFlags, input)
                scanner.add(.neverAsked, "\(responder.id) \(shortcut) \(command.action.name)") {
                    "\(responder.id) offers \(shortcut) \(command.action.name) and is not on the chain: no press asks "
                        + "it"
                }
            }
        }
    }

    /// Items of the main menu that a person picks in vain, since the bar takes first responder away (I27-3).
    package static func inspectPicks(_ sweep: SceneSweep, into scanner: inout LintScanner) throws {
        for (_, action, responder) in try sweep.itemsLostToMenuBar() {
            scanner.add(.menuPickLost, action) {
                "\(action), picked from the menu bar, does nothing: the bar takes first responder away, and "
                    + "\(responder) performs it, the application does not"
            }
        }
    }

    /// Picks of a script that found no target. An item that its target disables is meant to do nothing.
    package static func inspect(_ lines: [ReplayLine], into scanner: inout LintScanner) {
        for line in lines where line.press == nil && line.outcome == .unhandled && line.takenBy == nil {
            guard let action = line.action, line.target == nil else { continue }
            scanner.add(.menuPickLost, action) { "\(action), picked from the menu, finds no target" }
        }
    }

    /// In a window, and in no controller that its container hides or covers: one is asked once it is shown.
    private static func isInSight(_ responder: Responder) -> Bool {
        guard SceneSweep.isAttached(responder) else { return false }
        var seen: Set<ObjectIdentifier> = []
        var here: Responder? = responder
        while let responder = here, seen.insert(ObjectIdentifier(responder)).inserted {
            if let controller = responder as? ViewController, controller.parent?.shows(controller) == false {
                return false
            }
            here = responder.next
        }
        return true
    }

    /// Menus that are never requested (T-29), and commands that a menu asks about with another sender than the key does
    /// (T-21), as findings without presses.
    package static func inspect(_ scene: Scene, into scanner: inout LintScanner) {
        let menus = [scene.mainMenu] + scene.mainMenuVariants.map(\.value)
        let inMenu = Set(menus.flatMap { $0 }.flatMap(\.commands).map(\.action))
        for responder in scene.responders {
            let kind = responder.kind.rawValue.lowercased()
            if !responder.buildMenu.isEmpty, !kind.hasSuffix("application"), kind != "appdelegate" {
                scanner.add(.menuOfController, responder.id) {
                    "\(responder.id) adds to the main menu, and for the main menu only the application and its "
                        + "delegate are asked"
                }
            }
            for action in responder.castsSender where inMenu.contains(action) {
                scanner.add(.senderCast, "\(responder.id) \(action)") {
                    "\(action) is in the menu, and canPerformAction of \(responder.id) takes a key command only: the "
                        + "key works and the entry is dimmed"
                }
            }
        }
    }
}

extension MenuDescription {
    /// The commands in it.
    var commands: [CommandDescription] {
        switch self {
        case .command(let command): [command]
        case .menu(_, _, let children), .replaceChildren(_, let children): children.flatMap(\.commands)
        case .placed(let menu, _): menu.commands
        case .remove: []
        }
    }
}
