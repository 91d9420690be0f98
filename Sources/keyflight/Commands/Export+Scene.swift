import FlightReplay
import KeyModel
import ResponderEngine
import Scenes

extension Export {
    /// `--format scene`: a folder with the scene of a session and its key script, as goldens have them; for standard
    /// output the scene alone.
    func exportScene(_ console: Console) throws -> ExitStatus {
        let input = try input(console)
        let file = input.name
        guard input.recordsCalls else {
            throw Failure(
                .notExportable,
                "\(file): responders: expected a trace at level calls, which has their answers, found none")
        }
        var source = try input.records()
        let trace = source.recorded()
        let otherwise = try defaults(RecordedEnvironment(trace), input.given, file, console)
        let made = try ReplayJob.explaining(file) {
            try SceneExport(trace, named: name(of: file), otherwise: otherwise, resources: .ofThisMachine)
        }
        guard let made else { throw source.nothingToReplayWith(source.status(console)) }
        if output == "-" {
            try console.output.write(made.scene)
        } else {
            for (name, text) in [("scene.yaml", made.scene), ("input.keys", made.script)] {
                try destination.writeFile(named: name, console) { try Array(text.utf8).withUnsafeBytes($0) }
            }
        }
        for omission in made.omissions {
            console.note("\(file): not in the scene: \(VisibleText.escaped(omission))")
        }
        let total = made.counts.same + made.counts.different
        console.note("\(file): \(made.counts.same) of \(total) presses and repeats come to what was recorded")
        return source.status(console)
    }

    private func defaults(
        _ environment: RecordedEnvironment, _ given: ReplayRules, _ name: String, _ console: Console
    ) throws -> (profile: Profile, layout: Layout) {
        var otherwise = try environment.defaults()
        if let profile = given.profile {
            if let own = environment.profile {
                throw Failure(
                    .notExportable,
                    "\(name): --profile: expected a trace that names no profile of its own, found \(own.name)")
            }
            otherwise.profile = try ProfileChoice.named(profile)
        }
        if let layout = given.layout, environment.layout == nil { otherwise.layout = try LayoutChoice.named(layout) }
        let choice = (given.profile.map { _ in otherwise.profile }, given.layout.map { _ in otherwise.layout })
        ReplayJob.noteDefaults(environment, otherwise.layout, choice, name, console)
        return otherwise
    }

    /// A golden's name is that of its folder.
    private func name(of file: String) -> String {
        let path = output == "-" ? file : output
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        let base = last.split(separator: ".").first.map(String.init) ?? ""
        return base.isEmpty ? "recorded" : base
    }
}
