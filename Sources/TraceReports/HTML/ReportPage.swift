import KeyModel
package import LatencyAnalysis
package import TraceFormat

/// One file for a browser: data, style and script in it, and a policy under which it loads nothing from anywhere. The
/// same traces give the same bytes.
package struct ReportPage: Sendable {
    /// One trace, or two that are compared.
    var sides: [ReportSideBuilder]
    var comparison: Comparison?
    /// Name and version of the program that wrote it.
    var generator: String

    /// A page is never larger, however long the trace.
    package static let byteLimit = 2_000_000
    /// Presses and repeats that a page shows at most.
    package static let pressLimit = 10_000

    /// Writes how the two sides differ, of which these presses are shown.
    package typealias Comparison = @Sendable (
        inout JSONText, _ shown: (base: PressChoice, head: PressChoice), Room
    ) -> Void

    /// The amount of the traces that a page shows: less of it each time that a page came out too large.
    package struct Room: Sendable {
        /// Presses and repeats, of one trace or of both.
        package private(set) var presses: Int
        private var divisor = 1
        /// Traces on the page.
        private let sides: Int

        package init(presses: Int, sides: Int = 1) {
            self.presses = min(presses, pressLimit)
            self.sides = sides
        }

        /// False where nothing is left to be made less: names of a few characters, a few rows.
        package mutating func narrow() -> Bool {
            if presses >= 100 { presses /= 2 } else { divisor *= 2 }
            return divisor <= 64
        }

        /// Of one side.
        var explanationBytes: Int { byteLimit * 3 / 8 / sides / divisor }
        var bindingBytes: Int { byteLimit / 5 / divisor }
        /// Bytes of one text.
        var textBytes: Int { 4_000 / divisor }

        /// Of the most rows of a table.
        package func rows(_ most: Int) -> Int { most / divisor }
    }

    package init(_ side: ReportSideBuilder, generator: String) {
        sides = [side]
        self.generator = generator
    }

    /// Two traces side by side, what changed first.
    package init(
        base: ReportSideBuilder, head: ReportSideBuilder, comparison: @escaping Comparison, generator: String
    ) {
        sides = [base, head]
        self.comparison = comparison
        self.generator = generator
    }

    /// The page, in UTF-8; `nil` where it would be larger than `byteLimit`.
    package var bytes: [UInt8]? {
        guard let data else { return nil }
        let style = PageParts.style
        let script = PageParts.script
        let policy = [
            "default-src 'none'", "script-src '\(ReportPage.source(of: script))'",
            "style-src '\(ReportPage.source(of: style))'", "base-uri 'none'", "form-action 'none'",
        ].joined(separator: "; ")
        var page: [UInt8] = []
        for (part, slot) in PageParts.frame {
            page += part
            switch slot {
            case "policy": page += Array(policy.utf8)
            case "style": page += style
            case "data": page += data
            case "script": page += script
            default: break
            }
        }
        return page.count < ReportPage.byteLimit ? page : nil
    }

    private static func source(of bytes: [UInt8]) -> String { "sha256-" + Base64.text(SHA256.hash(bytes)) }

    /// JSON that cannot end the element that contains it; `nil` where that alone is larger than a page.
    private var data: [UInt8]? {
        var json = JSONText()
        let room = sides.first?.room ?? Room(presses: 0)
        json.object { json in
            json.member("schema", "keyflight.report/1")
            json.member("generator", generator)
            json.member("stages", array: LatencyStage.allCases) { json, stage in
                json.array([stage.name, StatsReport.words(stage)]) { $0.value($1) }
            }
            json.member("fields", array: PressFilter.fields) { json, field in
                json.array([field.name, field.kind]) { $0.value($1) }
            }
            json.longestText = room.textBytes
            if let comparison, let base = sides.first, let head = sides.last {
                json.key("comparison")
                comparison(&json, (base.choice, head.choice), room)
            }
            json.member("sides", array: sides) { json, side in side.write(to: &json) }
        }
        var safe: [UInt8] = []
        safe.reserveCapacity(min(json.bytes.count + 1024, ReportPage.byteLimit))
        for byte in json.bytes {
            switch byte {
            case UInt8(ascii: "<"): safe += Array("\\u003c".utf8)
            case UInt8(ascii: ">"): safe += Array("\\u003e".utf8)
            case UInt8(ascii: "&"): safe += Array("\\u0026".utf8)
            default: safe.append(byte)
            }
            if safe.count >= ReportPage.byteLimit { return nil }
        }
        return safe
    }
}

/// The page without its data, out of the files in `Page`.
enum PageParts {
    static let style = PackageResources.report_css

    /// One function around all of it, so that the page defines no other global names.
    static let script: [UInt8] = {
        let parts = [
            PackageResources.words_js, PackageResources.data_js, PackageResources.filter_js, PackageResources.dom_js,
            PackageResources.facts_js, PackageResources.map_js, PackageResources.press_js, PackageResources.list_js,
            PackageResources.timeline_js, PackageResources.tables_js, PackageResources.compare_js,
            PackageResources.main_js,
        ]
        return Array("\"use strict\";\n(() => {\n".utf8) + parts.joined(separator: [0x0A]) + Array("})();\n".utf8)
    }()

    /// The frame in pieces, each with the name of the slot behind it, as `{{style}}` in the file.
    static let frame: [(part: [UInt8], slot: String)] = {
        let text = String(decoding: PackageResources.report_html, as: UTF8.self)
        var pieces: [(part: [UInt8], slot: String)] = []
        for piece in text.split(separator: "{{", omittingEmptySubsequences: false).enumerated() {
            guard piece.offset > 0 else {
                pieces.append((Array(piece.element.utf8), ""))
                continue
            }
            let parts = piece.element.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
            pieces[pieces.count - 1].slot = parts.first.map(String.init) ?? ""
            pieces.append((Array((parts.count > 1 ? parts[1] : "").utf8), ""))
        }
        return pieces
    }()
}
