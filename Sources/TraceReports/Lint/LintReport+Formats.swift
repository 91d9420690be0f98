import KeyModel
import LatencyAnalysis
import TraceFormat

extension LintReport {
    /// Schema `keyflight.lint/1`, one line with a line break.
    package var json: String {
        JSONText.objectText { json in
            json.member("schema", "keyflight.lint/1")
            switch subject {
            case .trace(let info):
                json.member("presses", info.presses)
                json.member("numbered_presses", info.numberedPresses)
                info.writeEnd(to: &json)
            case .scene(let contexts, let presses, let isShortened):
                json.member("contexts", contexts)
                json.member("presses", presses)
                json.member("shortened", isShortened)
            }
            json.member("findings", objects: findings, LintReport.write)
            if !unchecked.isEmpty {
                json.member("not_looked_for", objects: unchecked) { json, unchecked in
                    json.member("rules", array: unchecked.rules) { $0.value($1.rawValue) }
                    json.member("missing", unchecked.missing)
                    json.member("call", unchecked.call)
                }
            }
        } + "\n"
    }

    private static func write(to json: inout JSONText, _ finding: Finding) {
        json.member("rule", finding.rule.rawValue)
        json.member("severity", finding.rule.severity.name)
        json.member("chord", finding.chord?.text)
        json.member("character", finding.chord?.character)
        json.member("message", finding.message)
        json.member("hint", finding.rule.hint)
        json.member("presses", finding.presses)
        json.member("evidence", objects: finding.evidence) { json, evidence in
            json.member("press", evidence.press)
            json.member("tick", evidence.tick)
            json.member("t_ns", evidence.time.nanoseconds)
            json.member("place", evidence.place)
        }
    }

    /// SARIF 2.1.0, for code review tools. All texts in it are escaped.
    package var sarif: String {
        JSONText.objectText { json in
            json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            json.member("version", "2.1.0")
            json.member("runs", objects: [0]) { json, _ in
                json.member("tool", object: { json in
                    json.member("driver", object: { json in
                        json.member("name", "keyflight")
                        json.member("rules", objects: rules, LintReport.writeRule)
                    })
                })
                json.member("results", objects: findings, writeResult)
            }
        } + "\n"
    }

    private var rules: [LintRule] {
        let found = Set(findings.map(\.rule))
        return LintRule.allCases.filter { found.contains($0) }
    }

    private static func writeRule(to json: inout JSONText, _ rule: LintRule) {
        json.member("id", rule.rawValue)
        json.member("shortDescription", object: { $0.member("text", rule.title) })
        json.member("help", object: { $0.member("text", rule.hint) })
        json.member("defaultConfiguration", object: { $0.member("level", rule.severity.name) })
    }

    private func writeResult(to json: inout JSONText, _ finding: Finding) {
        let key = finding.chord.map { KeyFormatter.chord($0) + ": " } ?? ""
        json.member("ruleId", finding.rule.rawValue)
        json.member("level", finding.rule.severity.name)
        json.member("message", object: { $0.member("text", key + LintReport.message(finding)) })
        json.member("locations", objects: [0]) { json, _ in
            json.member("physicalLocation", object: { json in
                json.member("artifactLocation", object: { $0.member("uri", LintReport.uri(name)) })
            })
            json.member("logicalLocations", objects: finding.evidence) { json, evidence in
                let place = evidence.place.map { SafeText.escaped($0) + ", " } ?? ""
                json.member("name", "\(place)press \(evidence.press)")
            }
        }
        json.member("properties", object: { $0.member("presses", finding.presses) })
    }

    /// A path as a relative or absolute URI: everything but unreserved characters and slashes is percent-encoded.
    private static func uri(_ path: String) -> String {
        var uri = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                uri += "%" + (hex.utf8.count < 2 ? "0" : "") + hex
            }
        }
        return uri
    }
}
