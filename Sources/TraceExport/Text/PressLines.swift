import KeyModel
import LatencyAnalysis
package import TraceFormat
import TracePresses

/// Presses, repeats and texts as JSON lines: the members of `replay --format jsonl` as far as they are recorded, then
/// further members of recordings. Members that are not recorded are `null`.
package struct PressLines: TraceConsumer {
    package typealias Sink = ([UInt8]) throws -> Void

    private var assembler: PressAssembler
    private var json = JSONText()
    private let sink: Sink
    private var failure: (any Error)?
    /// Lines have the counts of messages, as those of a replay of an AppKit app.
    private var isOfAppKit = false
    package private(set) var count: UInt64 = 0

    /// `level`: the trace's at its beginning.
    package init(level: TraceLevel, to sink: @escaping Sink) {
        assembler = PressAssembler(
            [.keys, .texts, .receivers, .candidates, .effects, .cache, .resolutions, .costs], .released, level: level)
        self.sink = sink
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        guard failure == nil else { return }
        if case .invocation(let message) = record.body, message.kind.isOfAppKit { isOfAppKit = true }
        assembler.consume(record)
        writeFinished(definitions)
    }

    /// Writes what is still open, and throws what went wrong before. Call it once.
    package mutating func finish(_ definitions: TraceDefinitions) throws {
        assembler.finish()
        writeFinished(definitions)
        if let failure { throw failure }
    }

    private mutating func writeFinished(_ definitions: TraceDefinitions) {
        while let press = assembler.next(), failure == nil {
            for number in 0..<press.runCount {
                json.append(press, press.run(number), definitions, hasMessages: isOfAppKit)
                json.endLine()
                count += 1
            }
            do { try sink(json.bytes) } catch { failure = error }
            json.removeAll()
        }
    }
}

extension JSONText {
    mutating func append(
        _ press: TracePress, _ run: PressRun, _ names: TraceDefinitions, hasMessages: Bool
    ) {
        let resolution = run.resolution
        let isDecided = press.level > .keys
        object { json in
            json.member("press", press.isText ? nil : press.at.press)
            json.member("t_ns", press.time.nanoseconds)
            json.member("chord", press.chord?.text)
            json.member("character", names.string(resolution?.character))
            json.member("repeat", press.isRepeat)
            json.member("outcome", resolution?.outcome.name)
            json.member("takenBy", resolution?.takenBy?.name)
            json.member("action", names.string(resolution?.action))
            json.member("supplier", resolution?.supplierName(names))
            json.member("target", names.id(of: resolution?.target))
            json.member("text", names.string(resolution?.text))
            json.member("receivers", array: isDecided ? run.receivers : nil) { json, receiver in
                json.value(names.id(of: receiver.responder) ?? "")
            }
            json.appendCounts(press, run, hasMessages: hasMessages)
            // Commands that match and were not considered, whatever decided before them.
            let shadowed = run.candidates.filter { $0.verdict == .shadowed || $0.verdict == .taken }
            json.appendCandidates("shadowed", isDecided ? shadowed : nil, names)
            json.appendEffects(isDecided ? run.effects : nil, names)
            json.member("state", resolution?.state?.hexadecimal(16))
            if let textClass = press.key?.key.maskedClass { json.member("class", textClass.name) }
            if resolution?.outcome == .undetermined {
                json.appendCandidates("possible", run.candidates.filter { $0.verdict == .possible }, names)
            }
            json.appendRest(press, resolution, names)
        }
    }

    private mutating func appendCounts(_ press: TracePress, _ run: PressRun, hasMessages: Bool) {
        let hasCalls = press.level == .calls
        member("calls", about: hasCalls ? run.callCounts : nil) { json, counts in
            for kind in CallKind.allCases { json.member(kind.name, counts[Int(kind.rawValue)]) }
            guard hasMessages else { return }
            for (kind, name) in InvocationCounts.kinds { json.member(name, run.invocationCounts[kind]) }
        }
        member("callsOnRelease", about: hasCalls && !press.isCutShort ? run.callsOnRelease : nil) { json, count in
            json.member("keyCommands", count)
        }
        member("shadowReads", hasCalls ? run.shadowReads : nil)
        member("cache", about: CacheEffectiveness(run.cacheRecords)) { json, cache in
            json.member("lookups", cache.lookups)
            json.member("hits", cache.hits)
            json.member("misses", cache.misses)
            json.member("stale", cache.stale)
            json.member("invalidations", cache.invalidations)
        }
    }

    private mutating func appendCandidates(
        _ name: String, _ candidates: [CandidateRecord]?, _ names: TraceDefinitions
    ) {
        member(name, objects: candidates) { json, candidate in
            json.member("supplier", names.id(of: candidate.supplier) ?? "mainMenu")
            json.member("action", names[candidate.command]?.action)
        }
    }

    private mutating func appendEffects(_ effects: ArraySlice<EffectRecord>?, _ names: TraceDefinitions) {
        member("effects", objects: effects) { json, effect in
            json.member("id", names.id(of: effect.responder))
            json.member("kind", names.string(effect.kind))
            json.key("value")
            json.appendValue(names.string(effect.value))
        }
    }

    /// A value that is recorded as JSON; as a string where it is none, which only a foreign trace does.
    private mutating func appendValue(_ text: String?) {
        guard let text else { return null() }
        if RecordedValue.isJSON(text) { raw(text) } else { value(text) }
    }

    private mutating func appendRest(
        _ press: TracePress, _ resolution: ResolutionRecord?, _ names: TraceDefinitions
    ) {
        member("tick", press.at.tick)
        member("device", press.key?.device)
        member("key", press.key?.key.usage?.name)
        member("modifiers", array: press.key?.modifiers.names) { $0.value($1) }
        member("held_ns", press.held?.nanoseconds)
        member("first_responder", names.id(of: resolution?.start))
        member("key_window", names.id(of: resolution?.keyWindow))
        member("stages", object: { json in
            for stage in LatencyStage.allCases { json.member(stage.name + "_ns", press.stages[stage]?.nanoseconds) }
            json.member("total_ns", press.stages.total?.nanoseconds)
        })
        guard let costs = press.costs else { return }
        member("costs", object: { json in
            for (stage, allocations) in costs.ordered {
                json.member(stage.name, object: { json in
                    json.member("allocations", allocations.count)
                    json.member("bytes", allocations.bytes)
                })
            }
            for (name, count) in costs.ofProcess { json.member(name, count) }
        })
    }
}

/// Values of effects: `true`, `false`, integers, lists of integers, and strings, all as JSON.
enum RecordedValue {
    /// True when the text is one of these, and nothing in it could act on a terminal.
    static func isJSON(_ text: String) -> Bool {
        if text == "true" || text == "false" { return true }
        let bytes = Array(text.utf8)
        switch bytes.first {
        case UInt8(ascii: "\""): return isString(text)
        case UInt8(ascii: "["):
            guard bytes.last == UInt8(ascii: "]") else { return false }
            if bytes.count == 2 { return true }
            return text.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
                .allSatisfy { isInteger($0) }
        default: return isInteger(text[...])
        }
    }

    private static func isInteger(_ text: Substring) -> Bool { Int64(text).map { String($0) == text } ?? false }

    private static func isString(_ text: String) -> Bool {
        guard text.unicodeScalars.count >= 2, text.unicodeScalars.last == "\"" else { return false }
        var escaped: Int?
        for scalar in text.unicodeScalars.dropFirst().dropLast() {
            if VisibleText.isHidden(scalar) { return false }
            switch escaped {
            case nil:
                if scalar == "\"" { return false }
                if scalar == "\\" { escaped = 0 }
            case 0:
                if scalar == "u" {
                    escaped = 4
                } else if "\"\\/bfnrt".unicodeScalars.contains(scalar) {
                    escaped = nil
                } else {
                    return false
                }
            case let left?:
                guard scalar.properties.isASCIIHexDigit else { return false }
                escaped = left == 1 ? nil : left - 1
            }
        }
        return escaped == nil
    }
}
