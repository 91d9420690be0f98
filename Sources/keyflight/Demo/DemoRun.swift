import CaptureImport
import FlightReplay
import KeyModel
import LatencyAnalysis
import Libc
import Scenes
import TraceFormat
import TraceReports

/// The whole way of a recording on the bundled data: capture, trace, replay, statistics, one press explained.
struct DemoRun {
    let console: Console
    private let trace: [UInt8]
    private let keys: Recording
    private let replay: SceneReplay

    // The capture and the scene are files of `Traces/`, built into the program.
    static let captureName = "usb-keyboard-viewer.pcap"
    static var capture: [UInt8] { PackageResources.usb_keyboard_viewer_pcap }
    static let sceneName = "pdf-viewer.scene.yaml"
    static var scene: [UInt8] { PackageResources.pdf_viewer_scene_yaml }
    private static let traceName = "viewer.keyflight"

    init(on console: Console) throws {
        self.console = console
        let capture = CaptureImporter.Input(name: DemoRun.captureName, .bytes(DemoRun.capture))
        var trace: [UInt8] = []
        _ = try CaptureImporter().run([capture]) { trace.append(contentsOf: $0) }
        self.trace = trace
        keys = try Recording.read(trace, file: DemoRun.traceName).recording
        let scene = try Scene(DemoRun.scene, file: DemoRun.sceneName)
        replay = SceneReplay(scene, resources: SceneResources(layoutNamed: LayoutChoice.named))
    }

    func run() throws {
        try console.show(
            """
            1. A USB keyboard, emulated by QEMU, was typed on for thirteen seconds while tcpdump recorded its packets:
               \(DemoRun.capture.count) bytes. keyflight import makes a trace of \(trace.count) bytes of them. \
            What types text is masked (◻):


            """)
        try console.show("     \(pressedKeys)\n\n")
        try showReplay()
        try showStatistics()
        try console.show(
            """

            Next:
              keyflight demo --save viewer
              keyflight explain viewer/\(DemoRun.traceName) '⌘←'
              keyflight replay viewer/\(DemoRun.captureName) --scene viewer/\(DemoRun.sceneName) --cache chain

            """)
    }

    /// The capture, the scene and the recorded replay as files of a folder.
    func save(in folder: String, replaces: Bool) throws {
        if mkdir(folder, 0o777) != 0, errno != EEXIST {
            let reason = String(cString: strerror(errno))
            throw Failure(.notPermitted, "\(folder): folder: expected one that can be made, found \(reason)")
        }
        let recording = try replay.record(try ReplayTimeline(keys))
        let bytes = try recording.bytes(header: TraceHeader(level: .calls, isMasked: true))
        for (name, bytes) in [
            (DemoRun.captureName, DemoRun.capture), (DemoRun.sceneName, DemoRun.scene), (DemoRun.traceName, bytes),
        ] {
            let path = "\(folder)/\(name)"
            try OutputDestination(path: path, replaces: replaces).write(console) { try bytes.withUnsafeBytes($0) }
            try console.output.line(path)
        }
    }

    private func showReplay() throws {
        var table = PressTable()
        for line in try replay.lines(of: try ReplayTimeline(keys)) { table.add(line) }
        try console.show(
            """
            2. keyflight replay sends the keys through the responder chain of a document viewer, under the rules of \
            iOS 15.
               What each press came to, and how often keyCommands and canPerformAction were called for it:


            """)
        try console.show(table.text)
    }

    private func showStatistics() throws {
        let recording = try replay.record(try ReplayTimeline(keys))
        var source = RecordSource(
            recording, header: TraceHeader(level: .calls, isMasked: true), name: DemoRun.traceName)
        var statistics = TraceStatisticsBuilder()
        try source.feed(&statistics)
        try console.show("\n3. keyflight stats adds up the costs that the scene declares.\n\n")
        let report = StatsReport(statistics.statistics(of: source.facts), name: source.name)
        try console.show(report.text(console.style))

        var explainer = PressExplainer(.chord(try ChordQuery("⌘W"), isLast: true))
        try source.feed(&explainer)
        guard let explanation = explainer.explanation(definitions: source.definitions) else { return }
        try console.show("\n4. keyflight explain '⌘W' --last: who was asked, who got it, and why.\n\n")
        let explained = ExplainReport(explanation, info: explainer.facts.info(of: source.facts), name: source.name)
        try console.show(explained.text(console.style))
    }

    /// The presses in a row, those of masked text as one box each.
    private var pressedKeys: String {
        var words: [String] = []
        for record in keys.records {
            guard case .key(let key) = record.body, key.phase == .down, key.press != nil else { continue }
            switch key.key {
            case .clear(let usage): words.append(Chord(modifiers: key.modifiers, usage: usage).glyphs)
            case .masked: words.append("◻")
            }
        }
        return words.joined(separator: " ")
    }
}
