import KeyLayout
import KeyModel
import RegressionGate
import Scenes

/// Goldens of a thousand presses, as `keyflight gate` judges a folder of them: each is replayed, replayed again and
/// recorded, compared with the text that was accepted, and lint reads the recording.
enum GateWorkload {
    private static let presses = 1_000
    private static let goldens = 50

    static func cases() throws -> [BenchCase] {
        let few = try Folder(goldens: 2)
        let report = try few.gate()
        let counts = try report.comparisons.flatMap { try GoldenRows($0.found ?? "").results.map(\.counts) }
        // Made with the first run, before anything is timed.
        var timed: Folder?
        return [
            BenchCase(
                workload: .gate, name: "gate, 50 goldens of 1,000 presses", unit: "golden", unitsPerRun: goldens,
                counters: [
                    ExactCounter("presses of 2", report.presses),
                    ExactCounter("keyCommands calls of 2", counts.reduce(0) { $0 + ($1.calls.first ?? 0) }),
                    ExactCounter("findings of 2", report.comparisons.reduce(0) { $0 + ($1.findings?.rows.count ?? 0) }),
                ],
                run: {
                    let folder = try timed ?? Folder(goldens: goldens)
                    timed = folder
                    _ = try folder.gate()
                })
        ]
    }

    /// Goldens that are accepted as they are.
    private final class Folder {
        private let folder: InputFolder
        private let count: Int
        private let resources = SceneResources(layoutNamed: { try Layout.named($0) })

        init(goldens: Int) throws {
            folder = try InputFolder()
            count = goldens
            for number in 0..<goldens {
                let golden = GoldenCase(folder: try folder.makeFolder("golden-\(number)"))
                try FileBytes.store(Array(GateWorkload.scene.utf8), at: "\(golden.folder)/scene.yaml")
                try FileBytes.store(
                    Array(GateWorkload.script(seed: UInt64(number + 1)).utf8), at: "\(golden.folder)/input.keys")
                try GoldenComparison(golden, resources: resources).propose()
                try golden.accept()
            }
        }

        func gate() throws -> GateReport {
            let cases = try GoldenStore(folder.path).cases()
            let report = GateReport(comparisons: GoldenComparison.all(cases, resources: resources))
            try BenchFailure.check(
                report.verdict == .passed && report.passed == count && report.presses == count * presses,
                report.text())
            return report
        }
    }

    /// Chords on a page, and words typed into its search field.
    private static func script(seed: UInt64) -> String {
        let chords = ["down", "up", "space", "cmd+w", "cmd+t", "cmd+left", "cmd+OpenBracket", "cmd+shift+OpenBracket"]
        let words = ["invoice", "annex", "ledger", "minutes", "report"]
        var random = SplitMix(seed: seed)
        var steps: [String] = []
        var left = presses
        var isTyping = false
        while left > 0 {
            let choice = random.below(10)
            if choice == 0 || isTyping && choice == 1 {
                steps.append(isTyping ? "press esc" : "press cmd+f")
                isTyping.toggle()
                left -= 1
            } else if isTyping {
                let word = words[random.below(words.count)].prefix(left)
                steps.append("type \(word)")
                left -= word.count
            } else {
                steps.append("press \(chords[random.below(chords.count)])")
                left -= 1
            }
        }
        return steps.joined(separator: "\n") + "\n"
    }

    private static let scene = """
        scene: 1
        name: reader
        device: iphone
        profile: ios15
        layout: us
        responders:
          - id: app
            kind: application
            keyCommands: [{input: w, modifiers: [command], action: "closeWindow:"}]
            actions: ["closeWindow:"]
          - {id: scn, kind: windowScene}
          - {id: win, kind: window, keyWindow: true, rootViewController: tabs}
          - id: tabs
            kind: tabBarController
            viewControllers: [nav]
            keyCommands:
              - {input: t, modifiers: [command], action: "newTab:"}
              - {input: w, modifiers: [command], action: "closeTab:"}
              - {input: "[", modifiers: [shift, command], action: "previousTab:"}
              - {input: left, modifiers: [command], action: "previousTab:"}
            actions: ["newTab:", "closeTab:", "previousTab:"]
            cost: {keyCommands: 180us, "closeTab:": 4ms}
          - id: nav
            kind: navigationController
            viewControllers: [document]
            keyCommands: [{input: "[", modifiers: [command], action: "goBack:"}]
            actions: ["goBack:"]
          - id: document
            kind: viewController
            view: canvas
            keyCommands:
              - {input: f, modifiers: [command], action: "find:"}
              - {input: escape, action: "cancel:", wantsPriority: true}
            actions: {"find:": [{focus: search}], "cancel:": [{focus: page}]}
          - {id: canvas, kind: view}
          - id: page
            kind: scrollView
            superview: canvas
            canBecomeFirstResponder: true
            contentSize: [600, 4000]
            viewport: [600, 800]
            keyCommands:
              - {input: left, modifiers: [command], action: "firstPage:"}
              - {input: up, action: "lineUp:"}
              - {input: down, action: "lineDown:"}
              - {input: space, action: "nextPage:"}
            actions: ["firstPage:", "lineUp:", "lineDown:", "nextPage:"]
            cost: {keyCommands: 22us, "lineUp:": 600us, "lineDown:": 600us}
          - {id: search, kind: textField, superview: canvas, text: ""}
        firstResponder: page

        """
}
