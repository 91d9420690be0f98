package import KeyModel
import TraceFormat
import TracePresses

/// The functions of one stage of a press, by samples of the stack.
package struct StageFunctions: Hashable, Sendable {
    /// `nil` for samples outside of the recorded stages, and where the ends of stages were not read.
    package var stage: LatencyStage?
    /// Between two samples.
    package var interval: TraceDuration
    /// Number of intervals with a sample.
    package var count: UInt64 = 0
    /// Of them, those whose stack has no outermost function.
    package var torn: UInt64 = 0
    /// By samples, the most first.
    package var functions: [Share] = []

    /// A function of the app or, where a stack has none, the innermost method or function of the system.
    package struct Share: Hashable, Sendable {
        /// Its name, or its module and the offset in its file.
        package var name: String
        package var module: String?
        /// The build-id of its module and its address there, where it has no name.
        package var unnamed: Unnamed?
        package var isOwn: Bool
        package var count: UInt64 = 0
        /// Samples in which the thread was blocked, by the system call; the others ran.
        package var blocked: [String: UInt64] = [:]
        /// The function with a name that most of the samples have around it; `nil` for an outermost one.
        package var caller: String?

        package struct Unnamed: Hashable, Sendable {
            package var build: String
            package var address: UInt64
        }

        /// The calls that block it, the most first.
        package var calls: [(name: String, count: UInt64)] {
            blocked.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
        }
    }
}

extension PressExplanation {
    /// Build-ids of the modules whose functions have no name.
    package var unnamedBuilds: Set<String> {
        Set((samples ?? []).flatMap(\.functions).compactMap(\.unnamed?.build))
    }

    /// Names functions that have no name, by the build-id of their module and their address in it.
    package mutating func nameFunctions(_ name: (_ build: String, _ address: UInt64) -> String?) {
        for stage in samples?.indices ?? 0..<0 {
            for place in samples?[stage].functions.indices ?? 0..<0 {
                guard let unnamed = samples?[stage].functions[place].unnamed,
                    let found = name(unnamed.build, unnamed.address)
                else { continue }
                samples?[stage].functions[place].name = found
                samples?[stage].functions[place].unnamed = nil
            }
        }
    }
}

extension TracePress {
    /// `nil` where no samples are recorded, or where they are damaged.
    var stageFunctions: [StageFunctions]? {
        guard !samples.isEmpty else { return nil }
        var counters: [LatencyStage?: StageFunctionCounter] = [:]
        for (record, time) in samples {
            guard let stacks = try? SampledStacks(record.stacks) else { return nil }
            let begin = time.advanced(by: TraceDuration(nanoseconds: -record.age.nanoseconds))
            for sample in stacks.samples {
                let stage = stage(at: begin.advanced(by: sample.offset))
                counters[stage, default: StageFunctionCounter(stage, record.interval)].add(sample, of: stacks)
            }
        }
        let order = LatencyStage.allCases
        return counters.values.map(\.result).sorted { one, other in
            (one.stage.flatMap { order.firstIndex(of: $0) } ?? .max)
                < (other.stage.flatMap { order.firstIndex(of: $0) } ?? .max)
        }
    }

    /// The function that most samples of the press were in: one of the app where there is any, whatever the system does
    /// at every press of its kind. `nil` without samples.
    var slowFunction: String? {
        let functions = (stageFunctions ?? []).flatMap(\.functions)
        let own = functions.filter(\.isOwn)
        return (own.isEmpty ? functions : own).min { ($1.count, $0.name) < ($0.count, $1.name) }?.name
    }

    private func stage(at time: TraceTime) -> LatencyStage? {
        stageRecords.first { stage, end in
            stage.stage != .inputDelay && time <= end && time.since(end).nanoseconds >= -stage.duration.nanoseconds
        }?.record.stage
    }
}

/// Counts the samples of one stage by function.
private struct StageFunctionCounter {
    private var stage: StageFunctions
    private var shares: [String: StageFunctions.Share] = [:]
    private var callers: [String: [String: UInt64]] = [:]

    init(_ stage: LatencyStage?, _ interval: TraceDuration) {
        self.stage = StageFunctions(stage: stage, interval: interval)
    }

    mutating func add(_ sample: SampledStacks.Sample, of stacks: SampledStacks) {
        let count = UInt64(sample.count)
        stage.count += count
        if !sample.isWhole { stage.torn += count }
        let path = Array(sequence(first: sample.node) { stacks.nodes[$0].parent }).map { stacks.nodes[$0].function }
        let place = path.firstIndex { stacks.isApp($0) } ?? path.firstIndex { stacks.isMethod($0) } ?? 0
        let name = stacks.displayName(path[place])
        let module = stacks.functions[path[place]].module.map { stacks.modules[$0] }
        var share = shares[name] ?? .init(name: name, module: module?.name, isOwn: module?.isOwn ?? false)
        if stacks.functions[path[place]].name == nil, let build = module?.buildID {
            share.unnamed = .init(build: build, address: stacks.functions[path[place]].offset)
        }
        share.count += count
        if let call = sample.call { share.blocked[call, default: 0] += count }
        shares[name] = share
        let caller = path[(place + 1)...].lazy.compactMap { stacks.functions[$0].name }.first
        if let caller { callers[name, default: [:]][caller, default: 0] += count }
    }

    var result: StageFunctions {
        var result = stage
        result.functions = shares.values.map { share in
            var share = share
            share.caller = callers[share.name]?.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
            return share
        }
        result.functions.sort { ($1.count, $0.name) < ($0.count, $1.name) }
        return result
    }
}

extension SampledStacks {
    /// Of the app, and not what every stack of it has outermost.
    fileprivate func isApp(_ function: Int) -> Bool {
        guard let module = functions[function].module, modules[module].isOwn else { return false }
        return functions[function].name.map { $0 != "main" && $0 != "_start" } ?? true
    }

    fileprivate func isMethod(_ function: Int) -> Bool {
        functions[function].name.map { $0.hasPrefix("-[") || $0.hasPrefix("+[") } ?? false
    }

    fileprivate func displayName(_ function: Int) -> String {
        let function = functions[function]
        if let name = function.name { return name }
        let module = function.module.map { modules[$0].name } ?? "?"
        return "\(module)+0x" + String(function.offset, radix: 16)
    }
}
