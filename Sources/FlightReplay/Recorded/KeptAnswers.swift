import TraceFormat
import TracePresses

/// Lists of some responders that are kept until they are invalidated: what a cache would have answered.
struct KeptAnswers {
    private let responders: Set<ResponderRef>
    private var answers: [ResponderRef: CallRecord.Answer] = [:]
    private var refused = RefusedEquivalents()

    /// `ids`: of the responders whose lists are kept.
    init(of ids: Set<String>, _ definitions: TraceDefinitions) {
        let all = definitions.responders
        responders = Set(
            all.indices.lazy.filter { ids.contains(all[$0].id) }.map {
                ResponderRef(rawValue: UInt32(truncatingIfNeeded: $0))
            })
    }

    /// The record with the kept answer in place of its own.
    mutating func applied(to record: TraceRecord) -> TraceRecord {
        switch record.body {
        case .invalidation(let invalidation) where invalidation.scope == .responder:
            if let responder = invalidation.responder { answers[responder] = nil } else { answers.removeAll() }
            refused.invalidate(invalidation)
        case .key(let key): refused.note(key)
        case .invocation(var message):
            guard responders.contains(message.responder), refused.serve(message) == true else { return record }
            message.answer = .no
            return TraceRecord(time: record.time, sequence: record.sequence, body: .invocation(message))
        case .call(var call):
            guard call.kind == .keyCommands, call.occasion != .shadow, case .commands = call.answer,
                responders.contains(call.responder)
            else { return record }
            guard let known = answers[call.responder] else {
                answers[call.responder] = call.answer
                return record
            }
            call.answer = known
            return TraceRecord(time: record.time, sequence: record.sequence, body: .call(call))
        default: break
        }
        return record
    }
}
