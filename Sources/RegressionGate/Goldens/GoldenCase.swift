package import FlightReplay
import ResponderEngine
package import Scenes
import TraceFormat
import TraceReports

/// One expected text of a folder of goldens: `expected.txt`, or `expected.PROFILE.txt` for another profile than the
/// scene's.
package struct GoldenCase: Hashable, Sendable {
    /// The folder's name; also the golden's. Of a folder that is deeper in the folder of goldens, its path there.
    package var name: String
    /// Holds `input.keys` or `input.keyflight`, `scene.yaml` where responders are needed or `launch.txt` where a live
    /// app has them, and the expected texts.
    package var folder: String
    /// The folder of goldens that it is in.
    package var store: String
    /// `nil`: the scene's or the recorded one.
    package var profile: String?

    /// `store`: the folder of goldens, where that is not the one above.
    package init(folder: String, store: String? = nil, profile: String? = nil) {
        self.folder = folder
        self.profile = profile
        if let store, folder.hasPrefix(store + "/") {
            (self.store, name) = (store, String(folder.dropFirst(store.count + 1)))
        } else {
            let parents = folder.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            self.store = parents.isEmpty ? "." : parents.joined(separator: "/")
            name = folder.split(separator: "/").last.map(String.init) ?? folder
        }
    }

    package var file: String { profile.map { "expected.\($0).txt" } ?? "expected.txt" }
    package var path: String { "\(folder)/\(file)" }
    /// Beside it, ignored by git: the text for review.
    package var pendingPath: String { path + ".new" }
    /// The page of `review` for a browser; goes with the pending text.
    package var pagePath: String { pendingPath + ".html" }
    /// The golden's name, with the profile where it has one of its own.
    package var title: String { profile.map { "\(name) (\($0))" } ?? name }

    /// `launch.txt` names an app that is typed into.
    var isOfLiveApp: Bool { TextFile.exists(launchPath) }
    var launchPath: String { "\(folder)/launch.txt" }

    /// Lists what is pending beside it.
    package var reviewCommand: String { "keyflight review \(ShellWord.quoted(store))" }

    /// Puts what is pending in place of what was accepted.
    package var acceptCommand: String {
        let name = (title.hasPrefix("-") ? "-- " : "") + ShellWord.quoted(title)
        return "keyflight accept --goldens \(ShellWord.quoted(store)) \(name)"
    }

    /// Compares it with leave to start its program.
    var startCommand: String {
        "keyflight gate \(ShellWord.quoted(store)) --filter \(ShellWord.quoted(title)) --run-apps"
    }

    /// Makes what this build finds pending. `keepsText`: it has typed text in clear.
    private func proposeCommand(keepsText: Bool) -> String {
        "keyflight gate \(ShellWord.quoted(store)) --filter \(ShellWord.quoted(title)) --propose"
            + (keepsText ? " --allow-text" : "")
    }

    /// The command that accepts what is pending; `nil` where nothing is.
    var pendingAcceptance: String? {
        TextFile.exists(pendingPath) || TextFile.exists(pendingFindingsPath) ? acceptCommand : nil
    }

    /// The next two commands, one to look and one towards accepting: it proposes first, and accepts what is pending.
    func steps(_ look: String?, keepsText: Bool) -> (look: String, accept: String?) {
        if let accept = pendingAcceptance { return (look ?? reviewCommand, accept) }
        let propose = proposeCommand(keepsText: keepsText)
        return look.map { ($0, propose) } ?? (propose, nil)
    }

    /// A command about a replay of this golden; `nil` where its folder alone cannot be replayed.
    func command(_ verb: String, _ options: String = "") -> String? {
        let scene = "\(folder)/scene.yaml"
        let inputs = ["input.keys", "input.keyflight"].map { "\(folder)/\($0)" }
        guard let input = inputs.first(where: TextFile.exists) else { return nil }
        var words = ["keyflight", verb, ShellWord.quoted(input)]
        if TextFile.exists(scene) {
            words += ["--scene", ShellWord.quoted(scene)]
        } else if input.hasSuffix(".keys") {
            return nil
        }
        if let profile {
            let own = "\(folder)/\(profile).profile"
            words += ["--profile", ShellWord.quoted(TextFile.exists(own) ? own : profile)]
        }
        return (words + [options]).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The line of the accepted text, from 1, of a press, else of the one before it; 1 where there is neither.
    func line(of press: PressTick) -> Int {
        guard let text = (try? expected()) ?? nil else { return 1 }
        var best = 1
        for (place, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.prefix { $0 != "|" }.split(separator: " ")
            guard let ordinal = words.first.flatMap({ UInt32($0) }), ordinal <= press.press else { continue }
            // The first repeat represents all.
            if ordinal == press.press, words.count > 1, press.tick == 0 { continue }
            best = place + 1
            if ordinal == press.press, (words.count > 1) == (press.tick > 0) { break }
        }
        return best
    }

    /// The line of the accepted text, from 1, with the allocations of a press.
    func line(ofAllocations press: UInt32) -> Int {
        let lines = ((try? expected()) ?? nil)?.split(separator: "\n", omittingEmptySubsequences: false)
        return (lines?.firstIndex { $0.hasPrefix("\(GoldenAllocations.mark)\(press) ") } ?? 0) + 1
    }

    /// The accepted text; `nil` when there is none.
    package func expected() throws(VerdictError) -> String? { try TextFile.readAccepted(path) }
    package func pending() throws(VerdictError) -> String? { try TextFile.readAccepted(pendingPath) }

    /// The plan and the inputs: the folder's input through its scene, or through what its trace recorded, under the
    /// cache policy of the accepted text, with cached answers checked where that one's were. With it, whose the
    /// responders are.
    package func prepare(
        _ resources: SceneResources
    ) throws -> (plan: any ReplayPlan, timeline: ReplayTimeline, responders: GoldenText.Responders) {
        let options = try options()
        let input = try input()
        var resources = resources
        resources.readFile = { [read = resources.readFile, folder] path in
            try TextFile.checkNamed(path, byGoldenIn: folder)
            return try read(path)
        }
        guard let sceneBytes = try TextFile.bytes("\(folder)/scene.yaml") else {
            guard !input.isScript else {
                throw VerdictError(
                    .noResponders, input.path, "responders", expected: "scene.yaml beside it", found: "none")
            }
            let recording = try GoldenCase.recording(input.bytes, input.path)
            let otherwise = (
                profile: Profile.named("ios15") ?? Profile(),
                layout: try RecordedEnvironment(recording).layoutByName(resources.layoutNamed)
            )
            guard let replay = RecordedReplay(recording, otherwise: otherwise, options: options) else {
                throw VerdictError(
                    .noResponders, input.path, "responders",
                    expected: "a trace at level calls, or scene.yaml beside it", found: "neither")
            }
            return (replay, try replay.timeline(), .recorded)
        }
        var replay = SceneReplay(
            try Scene(sceneBytes, file: "\(folder)/scene.yaml"), resources: resources, options: options)
        try checkCosts(of: replay)
        if input.isScript {
            return (replay, try replay.timeline(of: try KeyScript(input.bytes, file: input.path)), .scene)
        }
        let recording = try GoldenCase.recording(input.bytes, input.path)
        replay.adopt(RecordedEnvironment(recording))
        return (replay, try ReplayTimeline(recording), .scene)
    }

    /// Refuses a cost of an action that its responder does not have: with a slip in its name, the time that it declares
    /// would be in no press.
    private func checkCosts(of replay: SceneReplay) throws {
        guard replay.scene.responders.contains(where: { !$0.cost.isEmpty }) else { return }
        let instance = try replay.instantiate()
        for description in replay.scene.responders {
            guard let responder = instance.responder(description.id) else { continue }
            for cost in description.cost {
                guard case .action(let name) = DeclaredCall(name: cost.name) else { continue }
                let action = Selector(name)
                let isKnown = ([responder] + responder.injectedResponders).contains { $0.responds(to: action) }
                guard !isKnown else { continue }
                throw VerdictError(
                    .notComparable, "\(folder)/scene.yaml", "cost of \(description.id)", expected: "one of its actions",
                    found: "\(name), which it does not have")
            }
        }
    }

    /// The input of the folder: a script, else a trace.
    func input() throws(VerdictError) -> (bytes: [UInt8], path: String, isScript: Bool) {
        for name in ["input.keys", "input.keyflight"] {
            let path = "\(folder)/\(name)"
            if let bytes = try TextFile.bytes(path) { return (bytes, path, name == "input.keys") }
        }
        throw VerdictError(.notComparable, folder, "input", expected: "input.keys or input.keyflight", found: "neither")
    }

    private func options() throws -> ReplayRunOptions {
        var options = ReplayRunOptions()
        let accepted = try expected()
        // Stale answers are only seen where cached answers were checked.
        options.shadowCheck = accepted.map(GoldenRows.containsShadowReads) ?? false
        if let policy = accepted.flatMap({ GoldenRows.heading(of: $0)["cache"] }) {
            options.cachePolicy = CachePolicy(rawValue: policy) ?? .none
        }
        guard let profile else { return options }
        // A profile beside the scene wins over the shipped one of its name.
        if let text = try TextFile.read("\(folder)/\(profile).profile") {
            options.profile = try Profile(text: text)
        } else if let shipped = Profile.named(profile) {
            options.profile = shipped
        } else {
            throw VerdictError(
                .notComparable, path, "profile", expected: "a shipped profile, or \(profile).profile beside it",
                found: profile)
        }
        return options
    }

    /// A trace that is not whole is no baseline.
    static func recording(_ bytes: [UInt8], _ path: String) throws -> Recording {
        let (recording, report) = try Recording.read(TraceBytes(bytes, file: path))
        guard report.complete else {
            throw VerdictError(
                .notComparable, path, "trace", expected: "a whole one",
                found: report.damaged.map { "byte \($0.offset): \($0.reason)" } ?? "no end marker")
        }
        return recording
    }
}
