import ArgumentParser
import FlightReplay
import KeyModel
import ResponderEngine
import Scenes

struct Bindings: Verb {
    static let configuration = CommandConfiguration(
        commandName: "bindings", abstract: "The shortcuts that the overlay of a scene shows.",
        discussion: "The overlay is that of a held ⌘ as the scene begins: for its first responder, and the main menu.")

    @Argument(help: "A scene file.") var scene: String
    @Flag(help: "What the overlay of shortcuts shows, or the menus that took its place.") var overlay = false
    @Option(help: "Modifiers that are held, such as opt or ⌥⇧: menus show the alternates for them.")
    var holding: String?
    @Option(
        help: """
            ios7, ios9, ios13, ios134, ios15, ios26, catalyst, react-native-dev, or a profile file; the scene's own \
            unless given.
            """)
    var profile: String?
    @Option(help: "The keyboard layout, such as us or us:dvorak; the scene's own unless given.")
    var layout: String?
    @Option(help: "The form of the report.") var format = ReportFormat.text

    func validate() throws {
        _ = try heldModifiers()
        if !overlay { throw ValidationError("Say what to show of the scene: --overlay.") }
    }

    /// A chord that lacks its key.
    private func heldModifiers() throws -> KeyModifiers {
        guard let holding else { return [] }
        do { return try Chord.parse(holding + "+a").modifiers } catch {
            throw ValidationError("--holding \(holding): expected modifiers such as opt, shift+opt or ⌥⇧.")
        }
    }

    func perform(on console: Console) throws -> ExitStatus {
        let read: Scene
        let instance: SceneInstance
        do {
            read = try Scene(try ByteFile.read(scene), file: scene)
            instance = try read.instantiate(
                profile: try profile.map { try ProfileChoice.named($0) },
                layout: try layout.map { try LayoutChoice.named($0) },
                resources: SceneResources(layoutNamed: LayoutChoice.named, readFile: ByteFile.read))
        } catch let error as SourceTextError {
            throw Failure(error)
        }
        let title = read.responders.first { $0.kind.base == .application }?.title ?? ""
        let shown = instance.engine.overlay(
            applicationTitle: title.isEmpty ? read.name : title, holding: try heldModifiers())
        let printer = OverlayPrinter(overlay: shown, scene: read, engine: instance.engine)
        switch format {
        case .text: try console.output.write(printer.text)
        case .json: try console.output.write(printer.json)
        }
        return shown.entries.isEmpty ? .nothingMatched : .fine
    }
}
