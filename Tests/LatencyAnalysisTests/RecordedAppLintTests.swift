import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat

/// What lint makes of recordings that no scene brings about: those of apps.
@Suite struct RecordedAppLintTests {
    private static func rules(_ build: (inout RecordingBuilder) -> Void) -> [LintRule] {
        var builder = RecordingBuilder()
        build(&builder)
        var scanner = LintScanner()
        scanner.begin([])
        scanner.consume(builder.recording)
        return scanner.findings(definitions: builder.recording.definitions).map(\.rule)
    }

    private static func show(_ builder: inout RecordingBuilder) {
        builder.link("sheet", next: nil, window: nil)
        builder.add(.firstResponder(FirstResponderRecord(responder: builder.responder("sheet"), cause: .become)))
    }

    /// A press that `sheet` was asked to validate.
    private static func close(_ builder: inout RecordingBuilder, _ isValid: Bool?) {
        let at = builder.down(.keyboard(0x1A), [.command])
        builder.keyCommands(at, of: "sheet", answers: [builder.command("w", [.command], "close:")])
        if let isValid {
            let (sheet, action) = (builder.responder("sheet"), builder.string("close:"))
            builder.add(
                .call(
                    CallRecord(
                        at: at, kind: .validate, occasion: .down, responder: sheet, pass: 0, depth: 0, duration: nil,
                        action: action, answer: isValid ? .yes : .no)))
        }
        builder.resolve(at, isValid == false ? .unhandled : .performed) { record, builder in
            guard isValid != false else { return }
            (record.supplier, record.target) = (builder.responder("sheet"), builder.responder("sheet"))
            record.action = builder.string("close:")
        }
        builder.up(.keyboard(0x1A), [.command], of: at)
        builder.wait(1_000_000)
    }

    @Test func anotherAnswerIsNoOtherSituation() {
        let answered = Self.rules { builder in
            Self.show(&builder)
            Self.close(&builder, true)
            Self.close(&builder, false)
        }
        #expect(!answered.contains(.nonDeterministic))
        let unanswered = Self.rules { builder in
            Self.show(&builder)
            Self.close(&builder, nil)
            let at = builder.down(.keyboard(0x1A), [.command])
            builder.keyCommands(at, of: "sheet", answers: [builder.command("w", [.command], "close:")])
            builder.resolve(at, .unhandled)
        }
        #expect(unanswered.contains(.nonDeterministic), "where nothing was answered, nothing explains it")
    }

    @Test(arguments: [true, false]) func aDisabledItemOfAppKitKeepsItsKeyByDesign(_ isOfAppKit: Bool) {
        let rules = Self.rules { builder in
            Self.show(&builder)
            let at = builder.down(.keyboard(0x16), [.command])
            if isOfAppKit {
                var message = InvocationRecord(
                    at: at, kind: .keyEquivalent, occasion: .down, responder: builder.responder("mainMenu"),
                    duration: .zero)
                message.answer = .yes
                builder.add(.invocation(message))
            }
            builder.resolve(at, .blockedUnperformable, takenBy: .mainMenu) { record, builder in
                record.supplier = builder.responder("mainMenu")
                record.action = builder.string("save:")
            }
            builder.up(.keyboard(0x16), [.command], of: at)
        }
        #expect(rules.contains(.blockedByUnperformable) == !isOfAppKit)
    }

    @Test(arguments: [("OKButton", false), ("Column", true)])
    func aDefaultButtonNeedNotBeOnTheChain(_ kind: String, _ isFound: Bool) {
        let rules = Self.rules { builder in
            builder.link("field", next: "window", window: "window")
            builder.add(.firstResponder(FirstResponderRecord(responder: builder.responder("field"), cause: .become)))
            let supplier = builder.responder("supplier", kind)
            let at = builder.down(.returnOrEnter)
            builder.resolve(at, .performed, takenBy: .keyCommands) { record, builder in
                (record.supplier, record.target) = (supplier, supplier)
                record.action = builder.string("save:")
            }
            builder.up(.returnOrEnter, of: at)
        }
        #expect(rules.contains(.supplierOffChain) == isFound)
    }
}
