import FlightReplay
import Scenes

/// `export --format scene`: a folder with the scene of a session and its key script, as goldens have them.
struct SceneFolder {
    /// The folder; `-` takes the scene alone.
    let output: OutputDestination

    func export(_ input: InputOptions, _ console: Console) throws -> ExitStatus {
        let file = try InputFile(input.input, console)
        guard file.tellsCalls else {
            throw Failure(
                .notExportable,
                "\(file.name): responders: expected a trace at level calls, which has their answers, found none")
        }
        var source = try input.records(of: file, console)
        let trace = source.recorded()
        let otherwise = try RecordedEnvironment(trace).defaults()
        let resources = SceneResources(layoutNamed: LayoutChoice.named, readFile: ByteFile.read)
        let made: SceneExport?
        do {
            made = try SceneExport(trace, named: name(of: file.name), otherwise: otherwise, resources: resources)
        } catch {
            throw ReplayJob.failure(error, file.name)
        }
        guard let made else { throw ReplayJob.nothingToReplayWith(file.name) }
        if output.path == "-" {
            try console.output.write(made.scene)
        } else {
            try output.writeFile(named: "scene.yaml", console) { sink in
                try Array(made.scene.utf8).withUnsafeBytes { try sink($0) }
            }
            try output.writeFile(named: "input.keys", console) { sink in
                try Array(made.script.utf8).withUnsafeBytes { try sink($0) }
            }
        }
        for omission in made.omissions {
            console.note("\(file.name): not in the scene: \(Console.printable(omission))")
        }
        let total = made.counts.same + made.counts.different
        console.note("\(file.name): \(made.counts.same) of \(total) presses and repeats come to what was recorded")
        return source.status(console)
    }

    /// A golden's name is that of its folder.
    private func name(of file: String) -> String {
        let path = output.path == "-" ? file : output.path
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        let base = last.split(separator: ".").first.map(String.init) ?? ""
        return base.isEmpty ? "recorded" : base
    }
}
