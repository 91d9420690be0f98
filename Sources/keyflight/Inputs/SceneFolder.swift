import FlightReplay
import KeyModel
import ResponderEngine
import Scenes

/// `export --format scene`: a folder with the scene of a session and its key script, as goldens have them.
struct SceneFolder {
    /// The folder; `-` takes the scene alone.
    let output: OutputDestination
    /// The rules of an app whose trace does not name them.
    let profile: String?

    func export(_ input: InputOptions, _ console: Console) throws -> ExitStatus {
        let file = try InputFile(input.input, console)
        guard file.recordsCalls else {
            throw Failure(
                .notExportable,
                "\(file.name): responders: expected a trace at level calls, which has their answers, found none")
        }
        var source = try input.records(of: file, console)
        let trace = source.recorded()
        let otherwise = try defaults(RecordedEnvironment(trace), input.layout, file.name, console)
        let resources = SceneResources(layoutNamed: LayoutChoice.named, readFile: ByteFile.readNamed)
        let made: SceneExport?
        do {
            made = try SceneExport(trace, named: name(of: file.name), otherwise: otherwise, resources: resources)
        } catch {
            throw ReplayJob.failure(error, file.name)
        }
        guard let made else { throw source.nothingToReplayWith(source.status(console)) }
        if output.path == "-" {
            try console.output.write(made.scene)
        } else {
            for (name, text) in [("scene.yaml", made.scene), ("input.keys", made.script)] {
                try output.writeFile(named: name, console) { try Array(text.utf8).withUnsafeBytes($0) }
            }
        }
        for omission in made.omissions {
            console.note("\(file.name): not in the scene: \(VisibleText.escaped(omission))")
        }
        let total = made.counts.same + made.counts.different
        console.note("\(file.name): \(made.counts.same) of \(total) presses and repeats come to what was recorded")
        return source.status(console)
    }

    private func defaults(
        _ environment: RecordedEnvironment, _ layout: String?, _ name: String, _ console: Console
    ) throws -> (profile: Profile, layout: Layout) {
        var otherwise = try environment.defaults()
        if let profile {
            if let own = environment.profile {
                throw Failure(
                    .notExportable,
                    "\(name): --profile: expected a trace that names no profile of its own, found \(own.name)")
            }
            otherwise.profile = try ProfileChoice.named(profile)
        }
        if let layout, environment.layout == nil { otherwise.layout = try LayoutChoice.named(layout) }
        let choice = (profile.map { _ in otherwise.profile }, layout.map { _ in otherwise.layout })
        ReplayJob.noteDefaults(environment, otherwise.layout, choice, name, console)
        return otherwise
    }

    /// A golden's name is that of its folder.
    private func name(of file: String) -> String {
        let path = output.path == "-" ? file : output.path
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        let base = last.split(separator: ".").first.map(String.init) ?? ""
        return base.isEmpty ? "recorded" : base
    }
}
