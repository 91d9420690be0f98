import Libc
package import Scenes

extension GoldenComparison {
    /// Replays and compares each golden; the result has the order of `cases`. Responders, engine and recorder of a
    /// golden belong to the thread that made them.
    ///
    /// - Parameters:
    ///   - threads: As many as processors unless given.
    ///   - onProgress: Called on the calling thread.
    package static func all(
        _ cases: [GoldenCase], resources: SceneResources, rules: GoldenRules = GoldenRules(), threads: Int? = nil,
        onProgress: (_ done: Int) -> Void = { _ in }
    ) -> [GoldenComparison] {
        let workers = OrderedWorkers<GoldenCase, GoldenComparison> {
            GoldenComparison($0, resources: resources, rules: rules)
        }
        let processors = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        var waiting = cases[...]
        var comparisons: [GoldenComparison] = []
        workers.run(
            threads: max(1, min(threads ?? processors, cases.count)), weight: .max,
            next: { waiting.popFirst().map { ($0, 1) } },
            hand: {
                comparisons.append($0)
                onProgress(comparisons.count)
            })
        return comparisons
    }
}
