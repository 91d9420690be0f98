import KeyModel
import Testing

@Suite struct TypedStepTests {
    @Test func linesReadBack() {
        let steps = [
            TypedStep(time: .zero, .role(.command, isDown: true)),
            TypedStep(
                time: TraceTime(nanoseconds: 30), wait: TraceDuration(nanoseconds: 7),
                .key(.keyboard(0x1A), .down, characters: "\u{17}", unmodified: "w")),
            TypedStep(time: .zero, .key(.leftShift, .up, characters: "", unmodified: "")),
            TypedStep(time: .zero, .key(.upArrow, .repeat, characters: "\u{F700}", unmodified: "é\n")),
            TypedStep(time: .zero, .activate("Two words")), TypedStep(time: .zero, .end),
        ]
        for step in steps { #expect(TypedStep(line: step.line) == step, "\(step.line)") }
        #expect(steps[0].line == "0 0 role command down")
        #expect(steps.filter(\.isPress).count == 1)
    }

    @Test(arguments: [
        "", "0 0", "x 0 end", "0 0 end now", "0 0 key 1a down x77", "0 0 key 1a down 77 77", "0 0 key 1a sideways x x",
        "0 0 key 1a down x7 x", "0 0 key 1a down xff x", "0 0 role fn down", "0 0 activate",
    ])
    func otherLinesAreNone(_ line: String) { #expect(TypedStep(line: line) == nil) }
}
