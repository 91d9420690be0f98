import FlightReplay
import KeyModel
import Libc
import SceneGeneration

// SceneSoak FIRST COUNT [THREADS]: generated scenes of at most 40 responders with at most 30 commands each, 500 keys,
// under each profile. Prints a line for each seed: the hash of every line of every replay. A case that fails is made
// small and printed, and the program ends with 1.
//
// SceneSoak agreement FIRST COUNT: generated scenes, in each of which bindings, overlay, explain and replay must agree
// about every chord in every focus context. Prints the number of chords that were pressed.

let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard arguments.count >= 2 else {
    print("SceneSoak: expected FIRST COUNT [THREADS]")
    exit(64)
}

func check(_ seed: UInt64) async -> String {
    var generator = CaseGenerator(seed: seed, limits: CaseGenerator.Limits(responders: 40, commands: 30, keys: 500))
    let generated = generator.make()
    var digest = StableHash()
    do {
        for profile in CacheProperty.profiles {
            func fails(_ smaller: GeneratedCase) -> String? {
                (try? CacheProperty.failure(of: smaller, profile: profile)) ?? nil
            }
            func differs(_ smaller: GeneratedCase) -> String? {
                (try? CacheProperty.uncountedDifference(of: smaller, profile: profile)) ?? nil
            }
            let failure = try CacheProperty.failure(of: generated, profile: profile) { line in
                for byte in line.jsonBytes { digest.combine(byte: byte) }
            }
            if let failure {
                let small = generated.shrunk { fails($0) != nil }
                return "seed \(seed): \(failure)\n\(small.text)"
            }
            if let failure = try CacheProperty.uncountedDifference(of: generated, profile: profile) {
                var small = generated.shrunk { differs($0) != nil }
                small.announces = false
                return "seed \(seed): \(failure)\n\(small.text)"
            }
        }
    } catch {
        return "seed \(seed): \(error)\n\(generated.text)"
    }
    return "seed \(seed) \(digest.hexadecimal)"
}

/// False when some case failed.
func run(_ first: UInt64, _ count: UInt64, threads: UInt64) async -> Bool {
    var isWhole = true
    var next = first
    let end = first + count
    while next < end {
        let batch = next..<min(end, next + threads)
        next = batch.upperBound
        var lines: [UInt64: String] = [:]
        await withTaskGroup(of: (UInt64, String).self) { group in
            for seed in batch { group.addTask { (seed, await check(seed)) } }
            for await (seed, line) in group { lines[seed] = line }
        }
        for seed in batch {
            guard let line = lines[seed] else { continue }
            print(line)
            if line.contains(":") { isWhole = false }
        }
        fflush(nil)
    }
    return isWhole
}

func agree(_ seeds: Range<UInt64>) throws -> Bool {
    var pressed = 0
    for seed in seeds {
        let generated = AgreementProperty.scene(seed)
        let failure = try AgreementProperty.failure(
            of: generated, profile: AgreementProperty.profile(seed), pressed: &pressed)
        if let failure {
            print("seed \(seed): \(failure)\n\(generated.text)")
            return false
        }
    }
    print("\(seeds.count) scenes, \(pressed) chords")
    return true
}

let rest = Array(arguments)
if CommandLine.arguments.dropFirst().first == "agreement" {
    exit(try agree(rest[0]..<rest[0] + rest[1]) ? 0 : 1)
}
exit(await run(rest[0], rest[1], threads: max(1, rest.count > 2 ? rest[2] : 1)) ? 0 : 1)
