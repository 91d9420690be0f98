import KeyModel
import LatencyAnalysis
import TraceFormat

/// Identifiers that a table of many traces may contain: allowed ids, and pseudonyms of sessions and installations.
package struct FleetPrivacy: Sendable {
    /// The substitute for every id that is not allowed.
    package static let otherID = "(other)"

    private let allowed: [GlobPattern]
    private let key: [UInt8]?

    /// - Parameters:
    ///   - allowed: Patterns of responder ids and action names, with `*` and `?`.
    ///   - key: Of the pseudonyms; without it there are none.
    package init(allowed: [String] = [], key: [UInt8]? = nil) {
        self.allowed = allowed.map { GlobPattern($0) }
        self.key = key
    }

    /// A responder id or an action name, as a table has it: an app may make them of document names.
    package func id(_ id: String?) -> String {
        guard let id, FleetPrivacy.isPlain(id), allowed.contains(where: { $0.matches(id) }) else {
            return FleetPrivacy.otherID
        }
        return id
    }

    /// A fact of the allow-list; `nil` for a value that is no name or number of a version.
    func fact(_ value: String?) -> String? { value.flatMap { FleetPrivacy.isPlain($0) && !$0.isEmpty ? $0 : nil } }

    /// 32 hexadecimal digits of HMAC-SHA-256 over `session.id`, NUL and the id.
    func sessionKey(_ session: String?) -> String? {
        pseudonym(.session, session).map { $0.prefix(16).hexadecimal }
    }

    /// The first eight bytes of HMAC-SHA-256 over `app.installation.id`, NUL and the id, as a big-endian number,
    /// modulo 100.
    func sampleID(_ installation: String?) -> Int64? {
        pseudonym(.installation, installation).map { hash in
            Int64(hash.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) } % 100)
        }
    }

    private func pseudonym(_ fact: ProvenanceFact, _ value: String?) -> [UInt8]? {
        guard let key, let value, !value.isEmpty else { return nil }
        return SHA256.hmac(key: key, Array(fact.rawValue.utf8) + [0] + Array(value.utf8))
    }

    /// Short, and without anything that acts on a terminal.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 256 && !text.unicodeScalars.contains { VisibleText.isHidden($0) }
    }
}
