import RegressionGate
import TraceFormat

/// Compares the keys that arrived in an app with those that were typed.
struct DeliveryCheck {
    let delivery: KeyDelivery
    private let names: (trace: String, script: String)
    /// Of reading the app's trace.
    let readStatus: ExitStatus

    /// - Parameter script: A key script, or another trace of the same typing.
    /// - Throws: a `Failure` where one of the two has no keys, or they are masked in one alone.
    init(of input: Input, named name: String, with script: String, layout: String?, _ console: Console) throws {
        var source = try input.records()
        let other = try Input(script, console)
        var typing = try other.records(on: other.isTrace ? nil : layout, masksScript: source.header.isMasked)
        guard !other.isTrace || !typing.header.isMasked || source.header.isMasked else {
            throw Failure(
                .notComparable, "\(name): keys: expected them masked, as in \(script), found them in clear")
        }
        var (typed, found) = (KeyDelivery.Keys(), KeyDelivery.Keys())
        try typing.feed(&typed)
        try source.feed(&found)
        for (name, keys) in [(script, typed), (name, found)] where keys.presses.isEmpty {
            _ = source.status(console)
            throw Failure(.notComparable, "\(name): keys: expected some, found none")
        }
        names = (name, script)
        delivery = KeyDelivery(typed: typed, found: found)
        readStatus = source.status(console)
    }

    var text: String { delivery.text(trace: names.trace, script: names.script) }

    /// 1 where a key did not arrive as typed, 4 where the trace lost records.
    var status: ExitStatus {
        readStatus.joined(with: delivery.findings.isEmpty ? .fine : .findings)
            .joined(with: delivery.lost > 0 ? .notComparable : .fine)
    }
}
