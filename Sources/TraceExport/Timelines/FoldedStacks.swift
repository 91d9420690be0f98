import KeyModel
import LatencyAnalysis
import TraceFormat

/// Stacks with the nanoseconds that were spent in their last frame alone, a line each, as flamegraph.pl, inferno and
/// speedscope read them: the responder chain from the application down, and then the query.
///
/// Memory grows with the number of different stacks.
struct FoldedStacks: TimelineFormat {
    private var output: PieceWriter
    private var nodes: [Node] = []
    private var places: [Step: Int] = [:]
    /// Of the last press: its chain, and the stack of each responder in it.
    private var chain: [ResponderRef] = []
    private var stacks: [ResponderRef: Int] = [:]

    private enum Frame: Hashable {
        case responder(ResponderRef)
        case call(String)
    }

    private struct Step: Hashable {
        /// -1 at the beginning.
        var parent: Int
        var frame: Frame
    }

    private struct Node {
        var step: Step
        /// `nil` where nothing was timed.
        var own: TraceDuration?
    }

    init(to sink: @escaping TimelineExport.Sink) { output = PieceWriter(sink) }

    mutating func write(_ event: TimelineEvent, _ names: TraceDefinitions) throws {
        guard case .press(let timeline) = event else { return }
        follow(timeline.chain)
        for stage in timeline.stages { for call in stage.calls { add(call, inside: nil) } }
        for call in timeline.looseCalls + timeline.messages { add(call, inside: nil) }
    }

    private mutating func follow(_ next: [ResponderRef]) {
        guard next != chain else { return }
        chain = next
        stacks.removeAll(keepingCapacity: true)
        var parent = -1
        for responder in next.reversed() {
            parent = place(Step(parent: parent, frame: .responder(responder)))
            stacks[responder] = parent
        }
    }

    private mutating func add(_ span: NestedCall, inside parent: Int?) {
        let responder = span.call.responder
        let above =
            if let parent {
                place(Step(parent: parent, frame: .responder(responder)))
            } else {
                // Some responders are asked without being in the chain.
                stacks[responder] ?? place(Step(parent: -1, frame: .responder(responder)))
            }
        let own = place(Step(parent: above, frame: .call(span.call.kindName)))
        if let time = span.selfTime { nodes[own].own = (nodes[own].own ?? .zero) + time }
        for inner in span.inner { add(inner, inside: own) }
    }

    private mutating func place(_ step: Step) -> Int {
        if let known = places[step] { return known }
        nodes.append(Node(step: step))
        places[step] = nodes.count - 1
        return nodes.count - 1
    }

    mutating func finish(_ names: TraceDefinitions) throws {
        // Responders of one id, and stacks cut to one name, are one stack.
        var lines: [ByteName: TraceDuration] = [:]
        for node in nodes {
            guard let own = node.own else { continue }
            let stack = ByteName(path(node, names))
            lines[stack] = (lines[stack] ?? .zero) + own
        }
        for (stack, time) in lines.sorted(by: { $0.key < $1.key }) {
            try output.write("\(stack.text) \(time.nanoseconds)\n")
        }
        try output.flush()
    }

    private func path(_ node: Node, _ names: TraceDefinitions) -> String {
        var frames: [String] = []
        var step: Step? = node.step
        while let at = step {
            switch at.frame {
            // A semicolon ends a frame.
            case .responder(let responder):
                frames.append(ExportText.id(responder, names).replacing(";", with: "\\u{3b}"))
            case .call(let kind): frames.append(kind)
            }
            step = at.parent < 0 ? nil : nodes[at.parent].step
        }
        return frames.reversed().joined(separator: ";")
    }
}
