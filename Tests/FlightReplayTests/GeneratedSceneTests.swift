import FlightReplay
import KeyLayout
import KeyModel
import ResponderEngine
import SceneGeneration
import Scenes
import Testing

/// Generated scenes under every profile: answers, chains, menus and focus change between the presses. `Scripts/soak
/// scenes` does the same with larger ones.
@Suite struct GeneratedSceneTests {
    private static let limits = CaseGenerator.Limits(responders: 8, commands: 5, keys: 24)

    @Test(arguments: 1...24) func everyPolicyResolvesAlikeAndCountsWhatItServesWrongly(_ seed: UInt64) throws {
        var generator = CaseGenerator(seed: seed, limits: Self.limits)
        let generated = generator.make()
        for profile in CacheProperty.profiles {
            func fails(_ smaller: GeneratedCase) -> Bool {
                ((try? CacheProperty.failure(of: smaller, profile: profile)) ?? nil) != nil
            }
            if let failure = try CacheProperty.failure(of: generated, profile: profile) {
                Issue.record("seed \(seed): \(failure)\n\(generated.shrunk(while: fails).text)")
            }
            if let failure = try CacheProperty.uncountedDifference(of: generated, profile: profile) {
                Issue.record("seed \(seed): \(failure)")
            }
        }
    }

    /// A cache that loses an invalidation on purpose: what remains of a case of dozens of steps fits a screen, and
    /// still shows it.
    @Test func aFailingCaseIsMadeSmall() throws {
        func fails(_ smaller: GeneratedCase) -> Bool {
            guard let fresh = try? lines(of: smaller, policy: .none, losesInvalidations: false),
                let cached = try? lines(of: smaller, policy: .chain, losesInvalidations: true)
            else { return false }
            return CacheProperty.difference(fresh, cached) != nil
        }
        let cases = (UInt64(1)...40).lazy.map { (seed: UInt64) -> GeneratedCase in
            var generator = CaseGenerator(seed: seed, limits: .init(responders: 20, commands: 12, keys: 60))
            return generator.make()
        }
        let generated = try #require(cases.first { fails($0) })
        #expect(generated.steps.count >= 60)
        let small = generated.shrunk(while: fails)
        #expect(fails(small))
        #expect(small.members.count <= 3 && small.steps.count <= 6, "\(small.text)")
        let commands = small.members.reduce(0) { $0 + $1.commands.count + $1.busy.count }
        #expect(commands + small.applicationCommands.count + small.menu.count <= 4, "\(small.text)")
        // It can be pasted: scene and script are read as they stand there.
        _ = try Scene(text: small.scene, file: "small.scene.yaml")
        _ = try KeyScript(text: small.script, file: "small.keys")
    }

    private func lines(
        of generated: GeneratedCase, policy: CachePolicy, losesInvalidations: Bool
    ) throws -> [ReplayLine] {
        var replay = SceneReplay(
            try Scene(text: generated.scene, file: "generated.scene.yaml"), resources: TestReplay.resources)
        replay.options.cachePolicy = policy
        let timeline = try replay.timeline(of: try KeyScript(text: generated.script, file: "generated.keys"))
        let instance = try replay.instantiate()
        let subject: any ReplaySubject = losesInvalidations ? ForgetfulSubject(instance) : instance
        var lines: [ReplayLine] = []
        var writer = LineWriter(instance.engine) { row in
            if case .resolution(let line) = row { lines.append(line) }
        }
        try Replayer(subject).run(timeline, &writer)
        return lines
    }
}

/// Responders whose invalidations get lost on their way to the cache.
private final class ForgetfulSubject: ReplaySubject {
    private let instance: SceneInstance

    init(_ instance: SceneInstance) { self.instance = instance }

    var name: String { instance.name }
    var engine: KeyboardEngine { instance.engine }
    var responders: [Responder] { instance.responders }
    var costs: ServiceCosts { instance.costs }

    func perform(_ step: ContextStep, at time: TraceTime) throws {
        if case .invalidate = step { return }
        try instance.perform(step, at: time)
    }
}
