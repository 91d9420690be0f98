import KeyModel
import LatencyAnalysis
import TraceFormat

extension LintReport {
    /// Schema `keyflight.lint/1`, one line with a line break.
    package var json: String {
        var object: JSONObject = ["schema": "keyflight.lint/1"]
        switch subject {
        case .trace(let info):
            object.add(["presses": info.presses, "numbered_presses": info.numberedPresses])
            object.add(info.jsonEnd)
        case .scene(let contexts, let presses, let isShortened):
            object.add(["contexts": contexts, "presses": presses, "shortened": isShortened])
        }
        object.add("findings", findings.objects(LintReport.object))
        if !unchecked.isEmpty {
            object.add(
                "not_looked_for",
                unchecked.objects { ["rules": $0.rules.map(\.rawValue), "missing": $0.missing, "call": $0.call] })
        }
        return object.line
    }

    private static func object(_ finding: Finding) -> JSONObject {
        [
            "rule": finding.rule.rawValue, "severity": finding.rule.severity.name, "chord": finding.chord?.text,
            "character": finding.chord?.character, "message": finding.message, "hint": finding.hint,
            "presses": finding.presses,
            "evidence": finding.evidence.objects {
                ["press": $0.press, "tick": $0.tick, "t_ns": $0.time, "place": $0.place]
            },
        ]
    }

    /// SARIF 2.1.0, for code review tools. All texts in it are escaped.
    package var sarif: String {
        let found = Set(findings.map(\.rule))
        let rules = LintRule.allCases.filter(found.contains).objects { rule in
            [
                "id": rule.rawValue, "shortDescription": LintReport.text(rule.title),
                "help": LintReport.text(rule.hint),
                "defaultConfiguration": ["level": rule.severity.name] as JSONObject,
            ]
        }
        let driver: JSONObject = ["name": "keyflight", "rules": rules]
        let run: JSONObject = [
            "tool": ["driver": driver] as JSONObject, "results": findings.objects(result),
        ]
        let object: JSONObject = [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
        ]
        return object.line
    }

    private static func text(_ text: String) -> JSONObject { ["text": text] }

    private func result(_ finding: Finding) -> JSONObject {
        let key = finding.chord.map { KeyFormatter.chord($0) + ": " } ?? ""
        let location: JSONObject = [
            "physicalLocation": ["artifactLocation": ["uri": LintReport.uri(name)] as JSONObject] as JSONObject,
            "logicalLocations": finding.evidence.objects { evidence in
                let place = evidence.place.map { SafeText.escaped($0) + ", " } ?? ""
                return ["name": "\(place)press \(evidence.press)"]
            },
        ]
        return [
            "ruleId": finding.rule.rawValue, "level": finding.rule.severity.name,
            "message": LintReport.text(key + LintReport.message(finding)), "locations": [location],
            "properties": ["presses": finding.presses] as JSONObject,
        ]
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
