package import KeyModel
import TraceFormat
package import TracePresses

/// Puts a `TailAnalysis` together.
struct TailSummary {
    let presses: TailRows
    private var rows: PagedArray<TailRow> { presses.rows }

    func analysis(above threshold: TailAnalysis.Threshold, info: TraceInfo) -> TailAnalysis {
        let limit = self.limit(threshold, rows.map(\.total))
        let slow = limit.map { limit in rows.filter { $0.total >= limit } } ?? []
        var analysis = TailAnalysis(
            info: info, threshold: threshold, limit: limit, presses: UInt64(rows.count),
            total: rows.isEmpty ? nil : rows.map(\.total).reduce(.zero, +), slow: named(slow),
            slowCount: UInt64(slow.count), slowMean: means(slow) { _ in true },
            otherMean: means(rows) { row in limit.map { row.total < $0 } ?? true }, slowQueueing: nil,
            slowService: nil, slowWaiting: 0, common: common(slow), advice: nil)
        analysis.slowQueueing = mean(slow.compactMap { presses.duration(.inputDelay, of: $0) }, of: slow.count)
        analysis.slowService = mean(slow.compactMap { presses.stages(of: $0).service }, of: slow.count)
        analysis.slowWaiting = UInt64(slow.count { (presses.duration(.inputDelay, of: $0)?.nanoseconds ?? 0) > 0 })
        analysis.advice = advice(threshold, slow)
        let derived = rows.reduce(into: UInt16(0)) { $0 |= $1.derived }
        analysis.derived = Set(LatencyStage.allCases.filter { derived & 1 << UInt16($0.rawValue) != 0 })
        return analysis
    }

    private func limit(_ threshold: TailAnalysis.Threshold, _ totals: [TraceDuration]) -> TraceDuration? {
        switch threshold {
        case .duration(let duration): return duration
        case .percentile(let perMille):
            // Below that it would be the slowest one under another name.
            guard !totals.isEmpty, perMille >= 0, perMille < 1000, totals.count * (1000 - perMille) >= 1000 else {
                return nil
            }
            let sorted = totals.map(\.nanoseconds).sorted()
            let rank = (sorted.count * perMille + 999) / 1000
            return TraceDuration(nanoseconds: sorted[min(max(rank, 1), sorted.count) - 1])
        }
    }

    private func named(_ slow: [TailRow]) -> [TailAnalysis.SlowPress] {
        let sorted = slow.sorted { $0.total != $1.total ? $0.total > $1.total : $0.press < $1.press }
        return sorted.prefix(TailAnalysis.slowLimit).map { row in
            TailAnalysis.SlowPress(
                press: row.press, time: row.time, chord: presses.chord(of: row), total: row.total,
                slowestStage: presses.stages(of: row).longest ?? .collect)
        }
    }

    private func means(_ rows: some Sequence<TailRow>, _ isMeant: (TailRow) -> Bool) -> [TraceDuration?] {
        var sums = StageSplit()
        var count: Int64 = 0
        for row in rows where isMeant(row) {
            count += 1
            presses.forEachStage(of: row) { sums.add($1, to: $0) }
        }
        return LatencyStage.allCases.map { stage in
            sums[stage].map { TraceDuration(nanoseconds: $0.nanoseconds / max(1, count)) }
        }
    }

    /// `nil` where none has it; those that do not have it count as none, so that means of stages add up.
    private func mean(_ durations: [TraceDuration], of count: Int) -> TraceDuration? {
        guard !durations.isEmpty, count > 0 else { return nil }
        let sum = durations.reduce(TraceDuration.zero, +)
        return TraceDuration(nanoseconds: sum.nanoseconds / Int64(count))
    }

    /// Features of at least half of the slow presses that are at least half as frequent again among them as among all.
    private func common(_ slow: [TailRow]) -> [TailAnalysis.Feature] {
        guard slow.count > 1, slow.count < rows.count else { return [] }
        return TailAnalysis.Feature.Kind.allCases.compactMap { kind in
            var counts: [UInt32: UInt64] = [:]
            for row in slow { counts[row.features[Int(kind.rawValue)], default: 0] += 1 }
            counts[TailRow.noWord] = nil
            let most = counts.max { a, b in a.value != b.value ? a.value < b.value : text(a.key) > text(b.key) }
            guard let most, !text(most.key).isEmpty, most.value * 2 >= UInt64(slow.count) else { return nil }
            let all = UInt64(rows.count { $0.features[Int(kind.rawValue)] == most.key })
            let (shareOfSlow, shareOfAll) = (
                Double(most.value) / Double(slow.count), Double(all) / Double(rows.count)
            )
            guard shareOfSlow >= 1.5 * shareOfAll else { return nil }
            var feature = TailAnalysis.Feature(kind: kind, value: text(most.key), slow: most.value, all: all)
            if kind == .costliest {
                let mine = slow.filter { $0.features[Int(kind.rawValue)] == most.key }
                feature.atLeast = mine.compactMap(\.costliestTime).min()
                feature.passes = mine.map { UInt64($0.costliestCalls) }.max()
            }
            return feature
        }
    }

    private func text(_ word: UInt32) -> String { presses.text(word) }

    private func advice(_ threshold: TailAnalysis.Threshold, _ slow: [TailRow]) -> TailAnalysis.Advice? {
        guard rows.count >= TailAnalysis.fewestForAdvice else { return nil }
        let place = Int(TailAnalysis.Feature.Kind.costliest.rawValue)
        var savings: [UInt32: TraceDuration] = [:]
        for row in slow {
            let word = row.features[place]
            if word != TailRow.noWord { savings[word, default: .zero] = savings[word, default: .zero] + row.savedTime }
        }
        let best = savings.max { a, b in a.value != b.value ? a.value < b.value : text(a.key) > text(b.key) }
        guard let best, best.value > .zero else { return nil }
        let improved = rows.map { row in
            row.features[place] == best.key
                ? TraceDuration(nanoseconds: max(0, row.total.nanoseconds - row.savedTime.nanoseconds)) : row.total
        }
        let measure: ([TraceDuration]) -> TraceDuration? = { totals in
            if case .percentile = threshold { limit(threshold, totals) } else { totals.max() }
        }
        guard let before = measure(rows.map(\.total)), let after = measure(improved), after < before else { return nil }
        return TailAnalysis.Advice(
            responder: text(best.key), before: before, after: after,
            staleAnswers: UInt64(rows.count { $0.features[place] == best.key && $0.isWrong }))
    }
}

extension StageSplit {
    /// The first of the stages that took the longest; `nil` when there is none.
    package var longest: LatencyStage? {
        LatencyStage.allCases.lazy.filter { self[$0] != nil }.max { (self[$0] ?? .zero) < (self[$1] ?? .zero) }
    }
}
