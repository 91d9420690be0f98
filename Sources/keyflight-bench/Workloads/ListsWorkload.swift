import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit

/// An arrow held over long lists: a press must cost the same at the end of a list as at its beginning, and in a long
/// one as in a short one.
enum ListsWorkload {
    private static let rows = 100_000

    static func cases(isQuick: Bool) throws -> [BenchCase] {
        let presses = isQuick ? 1_000 : 10_000
        var cases: [BenchCase] = []
        for (name, list, start) in try lists() { cases.append(try hold(name, list, from: start, presses: presses)) }
        return cases
    }

    /// A table of ten rows and one of 100,000 at both ends, one whose every third row cannot be selected, and a
    /// collection in lines of eight.
    private static func lists() throws -> [(name: String, list: ListView, start: Int)] {
        func table(_ rows: Int, _ sections: Int = 1) -> KeyboardTableView {
            KeyboardTableView(id: "table", sections: Array(repeating: rows / sections, count: sections))
        }
        // Each case has a list of its own: a view is in one window.
        func holes() -> ListView {
            let holes = table(rows, 100)
            holes.unselectableRows = Array(stride(from: 1, to: rows, by: 3))
            return holes
        }
        func grid() -> ListView {
            let grid = KeyboardCollectionView(id: "grid", sections: [rows / 2, rows / 2])
            grid.collectionLayout = FlowLayout(itemSize: Extent(width: 40, height: 40))
            grid.viewport = Extent(width: 320, height: 480)
            return grid
        }
        return [
            ("table of 10 rows", table(10), 0), ("table of \(rows) rows, beginning", table(rows), 0),
            ("table of \(rows) rows, end", table(rows), rows - 10_001),
            ("table with holes, beginning", holes(), 0), ("table with holes, end", holes(), rows - 30_001),
            ("grid, beginning", grid(), 0), ("grid, end", grid(), rows - 80_001),
        ]
    }

    private static func hold(_ name: String, _ list: ListView, from start: Int, presses: Int) throws -> BenchCase {
        let engine = try makeEngine(list)
        let counted = 256
        list.select([start])
        let before = list.examinedRows
        let calls = try press(engine, times: counted, list)
        return BenchCase(
            workload: .lists, name: "hold down, \(name)", unit: "press", unitsPerRun: presses,
            counters: [
                ExactCounter("rows looked at", list.examinedRows - before, per: counted),
                ExactCounter("keyCommands calls", calls, per: counted),
            ],
            run: {
                list.select([start])
                _ = try press(engine, times: presses, list)
            })
    }

    private static func makeEngine(_ list: ListView) throws -> KeyboardEngine {
        let application = Application(id: "app")
        let window = Window(id: "win")
        let controller = ViewController(id: "vc")
        application.addWindow(window)
        window.rootViewController = controller
        controller.view = list
        window.addSubview(list)
        guard let layout = ShippedLayouts.named("us"), let profile = Profile.named("ios15") else {
            throw BenchFailure("us or ios15 is not there")
        }
        let engine = KeyboardEngine(application: application, profile: profile, layout: layout)
        // An iPhone: on an iPad a bare arrow is the focus system's, and the list's commands do not hear it.
        engine.hasFocusSystem = false
        application.makeKey(window)
        engine.focus(list)
        return engine
    }

    /// The down of a press and its repeats; how often key commands were read.
    private static func press(_ engine: KeyboardEngine, times: Int, _ list: ListView) throws -> Int {
        let key = KeyIdentity.clear(.downArrow)
        var calls = engine.keyDown(key, at: .zero)?.calls.keyCommands ?? 0
        for tick in 1..<times {
            guard let resolution = engine.repeatTick(key, at: TraceTime(nanoseconds: Int64(tick) * 100_000_000)),
                resolution.outcome == .performed
            else { throw BenchFailure("the held arrow came to nothing at \(tick)") }
            calls += resolution.calls.keyCommands
        }
        _ = engine.keyUp(key, at: TraceTime(nanoseconds: Int64(times) * 100_000_000))
        try BenchFailure.check(list.selectedRows.count == 1, "\(list.selectedRows.count) rows are selected")
        return calls
    }
}
