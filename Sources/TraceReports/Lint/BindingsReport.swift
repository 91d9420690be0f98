package import KeyModel
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
            let isUnstarted = !analysis.contexts.isEmpty && analysis.contexts.allSatisfy { $0.start == nil }
            let reason = isUnstarted ? BindingsReport.noStart + "." : unoffered
            return text + "\n" + (unknown ?? reason) + "\n" + drops(style)
        }
        var rest = analysis.bindings[...]
        for context in analysis.contexts {
            let own = rest.prefix { $0.context.byteNames == context.start.byteNames }
            guard !own.isEmpty else { continue }
            rest = rest[own.endIndex...]
            text += "\n" + heading(context, style) + "\n" + table(Array(own)).rendered(style)
        }
        if analysis.isCut { text += "\n" + BindingsReport.cut + "\n" }
        if let unknown, info?.chainGap != nil { text += "\n" + unknown + "\n" }
        return text + drops(style)
    }

    /// Why there is no binding: what gets the key in place of the app's commands, where something does.
    private var unoffered: String {
        let found = analysis.unoffered.filter { $0.answer.takenBy != nil }
        guard !found.isEmpty || !analysis.leftOut.isEmpty else { return "No responder and no menu has such a chord." }
        var lines = ["The app offers no such chord."]
        for action in analysis.leftOut {
            lines.append("\(SafeText.escaped(action, limit: 60)) has it in the scene's main menu, and is left out.")
        }
        for found in found {
            let place = found.context.map { "From \(SafeText.escaped($0, limit: 60))" } ?? "Without a first responder"
            lines.append("\(place) its key goes to \(BindingsReport.receiver(found)).")
        }
        return lines.joined(separator: "\n")
    }

    private static func receiver(_ found: BindingsAnalysis.Unoffered) -> String {
        guard found.isOfSystem else { return taker(found.answer) }
        let item = found.item.map { SafeText.escaped($0, limit: 60) }
        let words = "the system" + (item.map { ", for \($0)" } ?? "")
        switch found.answer.outcome {
        case .performed: return words + (found.answer.target.map { " of \(SafeText.escaped($0, limit: 60))" } ?? "")
        case .blockedUnperformable: return words + ", which no responder performs; it blocks the key"
        default: return words
        }
    }

    private func drops(_ style: ReportStyle) -> String {
        let lines = analysis.menuConflicts.map(\.words).flatMap { line in
            let words = SafeText.escaped(line.prefix(1).uppercased() + line.dropFirst(), limit: 440)
            return DisplayWidth.wrap(style.spelled(words), into: style.width ?? 118)
        }
        return lines.isEmpty ? "" : "\n" + lines.map { $0 + "\n" }.joined()
    }

    private static let noStart = "Keys reach no responder: there is none to start from"
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
        let place = BindingsReport.place(context, info).map { "From \($0)" } ?? BindingsReport.noStart
        let presses = info == nil ? "" : ", \(HumanNumbers.counted(context.presses, "press", "presses")) of any key"
        return style.paint(place + presses, .heading)
    }

    private func table(_ bindings: [BindingsAnalysis.Binding]) -> TextTable {
        let ofPresses: [TextTable.Field<BindingsAnalysis.Binding>] = [
            .number("presses") { $0.presses == 0 ? "" : HumanNumbers.count($0.presses) },
            .text("came to", .wrap) { BindingsReport.outcomes($0) },
        ]
        let isOffered = bindings.contains(where: \.isOfferedOnly)
        return TextTable(
            bindings,
            [
                .text("key") { [layout = analysis.layout] in BindingsReport.key($0, on: layout) },
                .cell(.init(title: isOffered ? "offered by" : "provider", fit: .cut)) { [layout = analysis.layout] in
                    let words = BindingsReport.receiver($0, on: layout) ?? HumanNumbers.absent
                    return .init(words, $0.provider == nil ? .faint : .plain)
                },
                .cell(.init(title: "shadowed", fit: .wrap)) { binding in
                    let shadowed = binding.shadowed.map(BindingsReport.words)
                    let disabled = binding.offers.filter(\.isDisabled).map { BindingsReport.words($0) + " (disabled)" }
                    return .init((shadowed + disabled).joined(separator: ", "), shadowed.isEmpty ? .faint : .bad)
                },
            ] + (info == nil ? [] : ofPresses))
    }

    /// The provider of a chord, or what else takes its key; `nil` where no press shows it.
    static func receiver(_ binding: BindingsAnalysis.Binding, on layout: String?) -> String? {
        if let provider = binding.provider { return words(provider) }
        guard binding.isNowhere else { return taker(binding) }
        return "on \(layout.map { SafeText.escaped($0, limit: 40) } ?? "this layout"): nowhere"
    }

    /// `⌘[`; where the layout has it elsewhere, `⌘[, on de ⌘Ö`, or with Shift only, `⌘1, on fr ⇧⌘1`.
    static func key(_ binding: BindingsAnalysis.Binding, on layout: String?) -> String {
        let own = chord(binding.modifiers, binding.input)
        guard let layout, let typed = binding.typedInput else { return own }
        let pressed = chord(binding.typedKey?.modifiers ?? binding.modifiers, typed)
        return pressed == own ? own : "\(own), on \(SafeText.escaped(layout, limit: 40)) \(pressed)"
    }

    package static func chord(_ modifiers: KeyModifiers, _ input: String) -> String {
        Chord.glyphs(modifiers) + KeyFormatter.input(input)
    }

    static func words(_ offer: BindingsAnalysis.Offer) -> String {
        let supplier = offer.supplier == "mainMenu" ? "main menu" : SafeText.escaped(offer.supplier, limit: 60)
        return "\(supplier) \(SafeText.escaped(offer.action, limit: 60))"
    }

    /// The receiver of a key that no offered command gets; of the system, what it does with it.
    private static func taker(_ binding: BindingsAnalysis.Binding) -> String? {
        guard let answer = binding.answer else { return nil }
        let item = answer.takenBy == .system
            ? SystemChord.name(input: binding.input, modifiers: binding.modifiers) : nil
        return taker(answer) + (item.map { " (\($0))" } ?? "")
    }

    package static func taker(_ answer: BindingsAnalysis.Answer) -> String {
        func of(_ responder: String?) -> String { responder.map { " of " + SafeText.escaped($0, limit: 60) } ?? "" }
        switch (answer.outcome, answer.takenBy) {
        case (_, .system?): return "the system"
        case (.consumedByText, _), (.consumedByInputMethod, _): return "text\(of(answer.target))"
        case (.consumedByFocus, _): return "focus"
        case (.consumedByScroll, _): return "scrolling\(of(answer.target))"
        case (.consumedByKeyBinding, _): return "a key binding\(of(answer.target))"
        case (.handledByKeyPress, _): return "onKeyPress\(of(answer.swallower))"
        case (.swallowedByPresses, _): return "presses\(of(answer.swallower))"
        case (.performed, _):
            let action = SafeText.escaped(answer.action ?? "an action", limit: 60)
            return answer.target.map { SafeText.escaped($0, limit: 60) + " " + action } ?? action
        case (.blockedUnperformable, _): return "no responder performs it, and it blocks the key"
        case (.unhandled, _), (.noStart, _): return answer.isUnperformable ? "no responder performs it" : "no responder"
        default: return SafeText.escaped(answer.outcome.name)
        }
    }

    /// The results of the presses; with counts where they differ. `limit`: of so many different results.
    static func outcomes(_ binding: BindingsAnalysis.Binding, atMost limit: Int = .max) -> String {
        let parts = binding.offers.filter { $0.won > 0 }.map { ($0.won, words($0)) }
            + binding.others.map { other in
                let isOfSystem = other.outcome == .unhandled && binding.answer?.takenBy == .system
                return (other.count, isOfSystem ? "the system" : words(other.outcome))
            }
        if parts.count == 1 { return parts[0].1 }
        return HumanNumbers.first(limit, of: parts) { "\(HumanNumbers.count($0)) \($1)" }.joined(separator: ", ")
    }

    private static func words(_ outcome: Outcome) -> String {
        switch outcome {
        case .blockedUnperformable: "blocked: no responder performs it"
        case .consumedByText: "text"
        case .unhandled: "no responder"
        default: SafeText.escaped(outcome.name)
        }
    }

    /// Schema `keyflight.bindings/1`, one line with a line break.
    package var json: String {
        /// A scene has no presses.
        func counted(_ presses: UInt64) -> UInt64? { info == nil ? nil : presses }
        var object: JSONObject = [
            "schema": "keyflight.bindings/1",
            "contexts": analysis.contexts.objects { ["start": $0.start, "presses": counted($0.presses)] },
            "bindings": analysis.bindings.objects { binding in
                var object: JSONObject = [
                    "context": binding.context, "input": binding.input, "modifiers": binding.modifiers.names,
                    "presses": counted(binding.presses),
                    "offers": binding.offers.objects {
                        [
                            "supplier": $0.supplier, "action": $0.action, "disabled": $0.isDisabled,
                            "won": counted($0.won),
                        ]
                    },
                    "others": binding.others.objects { ["outcome": $0.outcome.name, "presses": $0.count] },
                    "provider": binding.provider.map {
                        ["supplier": $0.supplier, "action": $0.action] as JSONObject
                    },
                ]
                if let layout = analysis.layout {
                    let typed = binding.isNowhere ? nil : binding.typedInput
                    object.add([
                        "layout": layout, "typed": typed, "nowhere": binding.isNowhere,
                        "pressed": binding.isNowhere ? nil : binding.typedKey?.text,
                    ])
                }
                if let answer = binding.answer {
                    object.add([
                        "outcome": answer.outcome.name, "takenBy": answer.takenBy?.name, "supplier": answer.supplier,
                        "action": answer.action, "target": answer.target,
                    ])
                }
                return object
            },
        ]
        if analysis.isCut { object.add("offers_left_out", true) }
        let drops = analysis.menuConflicts.filter { $0.kind == .dropped }
        let raised = analysis.menuConflicts.filter { $0.kind != .dropped }
        if !drops.isEmpty { object.add("menu_dropped", drops.map(\.what)) }
        if !raised.isEmpty { object.add("menu_raised", raised.map(\.words)) }
        if !analysis.unoffered.isEmpty {
            object.add("unoffered", analysis.unoffered.map { found -> JSONObject in
                [
                    "context": found.context, "outcome": found.answer.outcome.name,
                    "takenBy": found.answer.takenBy?.name, "action": found.answer.action,
                    "target": found.answer.target, "item": found.isOfSystem ? found.item : nil,
                ]
            })
        }
        if let info { object.add(info.jsonEnd) }
        return object.line
    }
}
