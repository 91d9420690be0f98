import ArgumentParser
import LatencyAnalysis

/// The presses that a verb is to look at.
struct FilterOptions: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: """
            Only these presses, such as 'chord == "cmd+w" and total > 8ms and responder ~ "Tab*"'. Fields: press time \
            repeat chord key character outcome takenBy responder window supplier target action layout profile total \
            keyCommands runs masked swallowed marked, and the stages. Joined by and, or, not and brackets.
            """, completion: Completion.filters)
    var expression: String?

    func check() throws { _ = try filter() }

    func filter() throws -> PressFilter? {
        guard let expression else { return nil }
        do {
            return try PressFilter(expression)
        } catch {
            throw ValidationError("--where \(expression): \(error)")
        }
    }
}
