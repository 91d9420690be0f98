import KeyModel
package import LatencyAnalysis
import TraceFormat
import TracePresses

/// The report of `bindings`: the receiver of each chord and the shadowed ones, for each focus context that occurred.
package struct BindingsReport: FittedReport, Sendable {
    package var analysis: BindingsAnalysis
    /// `nil` for a scene.
    package var info: TraceInfo?
    /// Its name, usually a file name.
    package var name: String

    package init(_ analysis: BindingsAnalysis, info: TraceInfo?, name: String) {
        self.analysis = analysis
        self.info = info
        self.name = name
    }

    package func body(_ style: ReportStyle) -> String {
        var text = ""
        if let info {
            text += ReportHeader(name: name, info: info).line(style) + "\n"
        } else {
            let contexts = HumanNumbers.counted(analysis.contexts.count, "focus context", "focus contexts")
            text += style.paint(SafeText.escaped(name), .heading) + ": \(contexts)\n"
        }
        let unknown = info.flatMap(BindingsReport.unknown)
        guard !analysis.bindings.isEmpty else {
            return text + "\n" + (unknown ?? "Nobody offers such a chord.") + "\n"
        }
        for context in analysis.contexts {
            let own = analysis.bindings.filter { $0.context == context.start }
            guard !own.isEmpty else { continue }
            text += "\n" + heading(context, style) + "\n" + table(own).rendered(style)
        }
        if analysis.isCut { text += "\n" + BindingsReport.cut + "\n" }
        if let unknown, info?.chainGap != nil { text += "\n" + unknown + "\n" }
        return text
    }

    /// Of `BindingsAnalysis.isCut`.
    static let cut = "More than \(HumanNumbers.count(BindingsAnalysis.offerLimit)) offers: the others are left out, "
        + "and presses that only they concern."

    /// True for an app with key equivalents: there is no list of its chords, its responders are asked about each key.
    package var asksKeyEquivalents: Bool { info.map(BindingsReport.asksKeyEquivalents) ?? false }

    private static func asksKeyEquivalents(_ info: TraceInfo) -> Bool {
        info.adapter != nil && !info.contextKinds.contains(.call)
    }

    /// The missing records that offers may depend on.
    static func unknown(_ info: TraceInfo) -> String? {
        let words = "Who offers a chord is not recorded:"
        if info.resolutions == 0 { return "\(words) nothing is of what presses came to. Call Keyflight.endKey." }
        if asksKeyEquivalents(info) {
            return "\(words) this app has key equivalents, which are asked one press at a time; keyflight explain says "
                + "who answered."
        }
        let hasCalls = info.level == .calls && info.contextKinds.contains(.call)
        if !hasCalls, !info.isOfReplay || info.level != .calls {
            return "\(words) record keyCommands at level calls."
        }
        switch info.chainGap {
        case .firstResponder?: return "\(words) no first responder is. Call Keyflight.firstResponder."
        case .links?: return "\(words) nothing is of the chain. Call Keyflight.link."
        case nil: return nil
        }
    }

    /// The start of a chain; `nil` for one that is known to be empty.
    static func place(_ context: BindingsAnalysis.Context, _ info: TraceInfo?) -> String? {
        context.start.map { SafeText.escaped($0, limit: 60) }
            ?? (info?.chainGap == .firstResponder ? "a first responder that is not recorded" : nil)
    }

    private func heading(_ context: BindingsAnalysis.Context, _ style: ReportStyle) -> String {
        let place = BindingsReport.place(context, info).map { "From \($0)" } ?? "With nobody to start from"
        let presses = info == nil ? "" : ", \(HumanNumbers.counted(context.presses, "press", "presses")) of any key"
        return style.paint(place + presses, .heading)
    }

    private func table(_ bindings: [BindingsAnalysis.Binding]) -> TextTable {
        var columns: [TextTable.Column] = [
            .init(title: "key"), .init(title: "provider", fit: .cut), .init(title: "shadowed", fit: .wrap),
        ]
        if info != nil {
            columns += [.right("presses"), .init(title: "came to", fit: .wrap)]
        }
        var table = TextTable(columns)
        for binding in bindings {
            let shadowed = binding.shadowed.map(BindingsReport.words)
            let disabled = binding.offers.filter(\.isDisabled).map { BindingsReport.words($0) + " (disabled)" }
            let provider = binding.provider.map(BindingsReport.words)
            var cells = [
                TextTable.Cell(Chord.glyphs(binding.modifiers) + KeyFormatter.input(binding.input)),
                provider.map { TextTable.Cell($0) } ?? TextTable.Cell(HumanNumbers.absent, .faint),
                TextTable.Cell((shadowed + disabled).joined(separator: ", "), shadowed.isEmpty ? .faint : .bad),
            ]
            if info != nil {
                cells.append(TextTable.Cell(binding.presses == 0 ? "" : HumanNumbers.count(binding.presses)))
                cells.append(TextTable.Cell(BindingsReport.outcomes(binding)))
            }
            table.add(cells)
        }
        return table
    }

    static func words(_ offer: BindingsAnalysis.Offer) -> String {
        let supplier = offer.supplier == "mainMenu" ? "main menu" : SafeText.escaped(offer.supplier, limit: 60)
        return "\(supplier) \(SafeText.escaped(offer.action, limit: 60))"
    }

    /// The results of the presses; with counts where they differ. `limit`: of so many different results.
    static func outcomes(_ binding: BindingsAnalysis.Binding, atMost limit: Int = .max) -> String {
        let parts = binding.offers.filter { $0.won > 0 }.map { ($0.won, words($0)) }
            + binding.others.map { ($0.count, words($0.outcome)) }
        if parts.count == 1 { return parts[0].1 }
        return HumanNumbers.first(limit, of: parts) { "\(HumanNumbers.count($0)) \($1)" }.joined(separator: ", ")
    }

    private static func words(_ outcome: Outcome) -> String {
        switch outcome {
        case .blockedUnperformable: "blocked: nobody performs it"
        case .consumedByText: "text"
        case .unhandled: "nobody"
        default: SafeText.escaped(outcome.name)
        }
    }

    /// Schema `keyflight.bindings/1`, one line with a line break.
    package var json: String {
        JSONText.objectText { json in
            json.member("schema", "keyflight.bindings/1")
            json.member("contexts", objects: analysis.contexts) { json, context in
                json.member("start", context.start)
                json.member("presses", info == nil ? nil : context.presses)
            }
            json.member("bindings", objects: analysis.bindings) { json, binding in
                json.member("context", binding.context)
                json.member("input", binding.input)
                json.member("modifiers", binding.modifiers.names)
                json.member("presses", info == nil ? nil : binding.presses)
                json.member("offers", objects: binding.offers) { json, offer in
                    json.member("supplier", offer.supplier)
                    json.member("action", offer.action)
                    json.member("disabled", offer.isDisabled)
                    json.member("won", info == nil ? nil : offer.won)
                }
                json.member("others", objects: binding.others) { json, other in
                    json.member("outcome", other.outcome.name)
                    json.member("presses", other.count)
                }
            }
            if analysis.isCut { json.member("offers_left_out", true) }
            info?.writeEnd(to: &json)
        } + "\n"
    }
}
