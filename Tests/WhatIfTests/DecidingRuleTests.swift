import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat

/// The rule of the specification that `explain` names.
extension ExplainedSceneTests {
    struct Decided: CustomTestStringConvertible, Sendable {
        var rule: String?
        var profile: String
        var script: String
        var controller = ""
        var more = "firstResponder: vc"

        var testDescription: String { "\(rule ?? "none"): \(script) under \(profile)" }
    }

    private static let action = "    actions: [\"go:\"]"
    private static let command = action + "\n    keyCommands: [{input: g, modifiers: [command], action: \"go:\"}]"
    private static let letter = command.replacing("modifiers: [command], ", with: "")
    private static let unperformable = command.replacing("actions: [\"go:\"]", with: "title: A")
    private static let menu = """
        firstResponder: vc
        mainMenu:
          - {menu: edit, children: [{input: d, modifiers: [command], action: "go:", title: Go}]}
        """

    private static func text(_ more: String = "") -> String {
        "  - {id: text, kind: textView, next: vc, text: ab\(more)}\nfirstResponder: text"
    }

    static let decided: [Decided] = [
        Decided(rule: "MT-9", profile: "ios15", script: "press cmd+g", controller: command),
        Decided(rule: "MM-9", profile: "ios15", script: "press cmd+d", controller: action, more: menu),
        Decided(rule: "MT-10", profile: "ios15", script: "press cmd+d", more: menu),
        Decided(
            rule: "EV-8", profile: "ios15", script: "press g",
            controller: letter.replacing("\"go:\"}", with: "\"go:\", wantsPriority: true}"), more: text()),
        Decided(rule: "EV-8", profile: "ios15", script: "press g", controller: letter, more: text()),
        Decided(rule: "MT-9", profile: "ios134", script: "press g", controller: letter, more: text()),
        Decided(rule: "EV-8", profile: "ios9", script: "press cmd+a", more: text()),
        Decided(
            rule: "EV-8", profile: "ios9", script: "press cmd+b", more: text(", allowsEditingTextAttributes: true")),
        Decided(rule: "EV-10", profile: "ios15", script: "press return", more: text(", markedText: に")),
        Decided(
            rule: "EV-5", profile: "ios15", script: "press cmd+g",
            controller: "    swallowsPresses: true\n" + command),
        Decided(
            rule: "EV-14", profile: "ios15", script: "press tab", controller: "    view: root",
            more: """
                  - {id: root, kind: view}
                  - {id: button, kind: view, superview: root, focusable: true}
                firstResponder: vc
                """),
        Decided(
            rule: "EV-15", profile: "ios26", script: "press down",
            more: """
                  - id: s
                    kind: scrollView
                    next: vc
                    canBecomeFirstResponder: true
                    contentSize: [100, 900]
                    viewport: [100, 90]
                firstResponder: s
                device: iphone
                """),
        Decided(rule: "MT-13", profile: "ios15", script: "press cmd+space"),
        Decided(rule: "KC-6", profile: "ios7", script: "press cmd+g", controller: command, more: ""),
        Decided(rule: "EV-11", profile: "ios15", script: "press CapsLock"),
        Decided(
            rule: "EV-2", profile: "ios15", script: "press cmd+.",
            controller: command.replacing("input: g, modifiers: [command]", with: "input: escape")),
        Decided(rule: "MT-1", profile: "ios15", script: "press shift+cmd+g", controller: command),
        Decided(
            rule: "MT-11", profile: "ios15", script: "press cmd+g",
            controller: command.replacing("\"go:\"}", with: "\"go:\", attributes: [disabled]}")),
        Decided(rule: "MT-10", profile: "ios15", script: "press cmd+g", controller: unperformable),
        Decided(rule: "MT-10", profile: "ios134", script: "press cmd+g", controller: unperformable),
        Decided(rule: "KC-1", profile: "ios15", script: "press cmd+j", controller: command),
        Decided(rule: "LA-9", profile: "gnustep", script: "press cmd+d", controller: action, more: menu),
        Decided(
            rule: "LA-10", profile: "gnustep", script: "press cmd+d",
            more: menu.replacing("title: Go", with: "title: Go, attributes: [disabled]")),
        Decided(rule: "LA-9", profile: "appkit", script: "press x", more: text()),
        Decided(rule: "LA-11", profile: "gnustep", script: "press cmd+9", more: text()),
    ]

    @Test("explain names the rule that decided, in JSON always", arguments: decided)
    func decidingRule(_ press: Decided) throws {
        let made = try explain(chain(press.controller, press.more), press.script, profile: press.profile)
        let resolution = made.explanation.resolution
        #expect(made.explanation.decidingRule == press.rule, "\(String(describing: resolution))")
        let id = press.rule.map { "\"\($0)\"" } ?? "null"
        #expect(made.json.contains(",\"rule\":\(id),"), "\(made.json)")
        #expect(!made.text.contains("\n  rule "))
    }

    @Test("what was not decided has no rule, and what took a press has one", arguments: 0...12 as ClosedRange<UInt8>)
    func everyOutcomeHasARuleOrIsUndecided(_ code: UInt8) throws {
        let scene = chain(Self.command, "firstResponder: vc")
        var explanation = try explain(scene, "press cmd+g", profile: "ios15").explanation
        explanation.resolution?.outcome = Outcome(rawValue: code)
        for taken in 0...14 as ClosedRange<UInt8> {
            explanation.resolution?.takenBy = TakenBy(rawValue: taken)
            #expect((explanation.decidingRule != nil) == Outcome(rawValue: code).isDecided, "\(taken)")
        }
        explanation.resolution = nil
        #expect(explanation.decidingRule == nil)
    }
}
