import KeyModel

/// A matching of the presses of two traces, whose clocks may differ in origin and rate, and either of which may lack
/// presses.
///
/// The clocks' offset is found by a vote: each two presses that may be the same vote for the distance of their times.
/// The distances with most votes are tried: starting from one stretch of the traces, the relation is followed to both
/// ends, a line is fitted through it, and what lies near that line is matched in order. The line that most presses lie
/// nearest to is taken.
struct PressMatching {
    struct Pair: Equatable {
        var first: Int
        var second: Int
    }

    /// Ascending in both.
    private(set) var pairs: [Pair] = []
    private(set) var fit: ClockFit
    private(set) var score = 0.0

    private static let millisecond = 1_000_000.0
    /// Largest distance from the line, in nanoseconds, of a press that is matched while the line is being fitted.
    private static let window = 30 * millisecond
    /// Presses that came this much later or earlier than others are the same where no other can be meant.
    private static let latest = 250 * millisecond
    private static let bin: Int64 = 20_000_000
    /// Presses that are looked at around a place: many times as many as are typed in these windows.
    private static let reach = 256
    /// The most distances that are counted one by one.
    private static let votes = 16_000_000

    /// The best matching of all; `nil` when no two presses can be the same.
    static func best(_ first: [PressTimes.Press], _ second: [PressTimes.Press]) -> PressMatching? {
        // The vote is cheaper, and its stretches all lie in the other, when the shorter is matched to the longer.
        guard first.count <= second.count else {
            guard var matching = best(second, first) else { return nil }
            matching.pairs = matching.pairs.map { Pair(first: $0.second, second: $0.first) }
            matching.fit = ClockFit(
                matching.pairs.map { (first[$0.first].down, second[$0.second].down) }, near: matching.fit)
            return matching
        }
        var best: PressMatching?
        for (distance, stretch) in candidates(first, second) {
            let matching = PressMatching(first, second, distance, stretch)
            if matching.score > best?.score ?? 0 { best = matching }
        }
        return best
    }

    // MARK: Candidate clock offsets

    private static func candidates(
        _ first: [PressTimes.Press], _ second: [PressTimes.Press]
    ) -> [(distance: Int64, stretch: Range<Int>)] {
        guard !first.isEmpty, !second.isEmpty else { return [] }
        var stretches: [Range<Int>] = []
        func add(_ start: Int, _ size: Int) {
            let begin = min(max(0, start), max(0, first.count - size))
            let stretch = begin..<min(first.count, begin + size)
            if !stretches.contains(stretch) { stretches.append(stretch) }
        }
        let most = max(24, votes / second.count)
        if first.count <= most { add(0, first.count) }
        for size in [min(192, most), 24] {
            for start in [first.count / 2 - size / 2, 0, first.count - size, first.count / 4, 3 * (first.count / 4)] {
                add(start, size)
            }
        }
        var all: [(distance: Int64, stretch: Range<Int>, share: Double)] = []
        for stretch in stretches {
            for distance in top(first[stretch], second) {
                all.append((distance, stretch, share(first[stretch], second, distance)))
            }
        }
        // Only the likeliest are followed to the ends.
        all.sort { $0.share != $1.share ? $0.share > $1.share : $0.distance < $1.distance }
        return all.prefix(8).map { ($0.distance, $0.stretch) }
    }

    /// Mean closeness of the presses of a stretch at one distance.
    private static func share(
        _ some: ArraySlice<PressTimes.Press>, _ second: [PressTimes.Press], _ distance: Int64
    ) -> Double {
        var fit = ClockFit(origin: some.first?.down ?? 0, base: distance)
        let found = some.compactMap { press in
            nearest(press, in: second, from: 0, fit, 2 * window).map { (first: press.down, second: second[$0].down) }
        }
        fit = ClockFit(found, near: fit, fitsDrift: found.count >= 16)
        let sum = found.reduce(0) { $0 + closeness(fit.residual($1.first, $1.second)) }
        return sum / Double(some.count)
    }

    /// 0 for presses so far from the line that chance puts them there, up to 10 for those on it.
    private static func closeness(_ rest: Double) -> Double { max(0, logarithm(of: 2 * window / (50_000 + abs(rest)))) }

    /// The distances with most votes, the best first.
    private static func top(_ some: ArraySlice<PressTimes.Press>, _ second: [PressTimes.Press]) -> [Int64] {
        var votes: [Int64: Int] = [:]
        for press in some {
            for other in second where PressTimes.Press.isSame(press, other) {
                votes[floor(other.down.saturatingSubtracting(press.down)), default: 0] += 1
            }
        }
        let sums = votes.map { (bin: $0.key, votes: $0.value + (votes[$0.key &+ 1] ?? 0)) }
        let sorted = sums.sorted { $0.votes != $1.votes ? $0.votes > $1.votes : $0.bin < $1.bin }
        var taken: [Int64] = []
        for sum in sorted where taken.count < 6 {
            // The bins beside one hold the same votes.
            if taken.contains(where: { abs($0.saturatingSubtracting(sum.bin)) <= 1 }) { continue }
            taken.append(sum.bin)
        }
        return taken.map { ($0 &+ 1).multipliedReportingOverflow(by: bin).partialValue }
    }

    private static func floor(_ distance: Int64) -> Int64 {
        distance >= 0 ? distance / bin : (distance &+ 1) / bin &- 1
    }

    // MARK: Following one candidate

    private init(
        _ first: [PressTimes.Press], _ second: [PressTimes.Press], _ distance: Int64, _ stretch: Range<Int>
    ) {
        var fit = ClockFit(origin: first[stretch.lowerBound].down, base: distance)
        var found: [(first: Int64, second: Int64)] = []
        func nearest(_ index: Int, within bound: Double) -> Int? {
            PressMatching.nearest(first[index], in: second, from: 0, fit, bound)
        }
        for index in stretch {
            guard let other = nearest(index, within: 2 * PressMatching.window) else { continue }
            found.append((first[index].down, second[other].down))
        }
        // The drift of a short stretch is noise.
        fit = ClockFit(found, near: fit, fitsDrift: false)
        found.removeAll { abs(fit.residual($0.first, $0.second)) > PressMatching.window }
        fit = ClockFit(found, near: fit, fitsDrift: found.count >= 16)
        var follower = Follower(fit: fit)
        for index in stretch.lowerBound..<first.count { follower.step(first[index], second) }
        follower.turn(at: first[stretch.lowerBound].down)
        for index in (0..<stretch.lowerBound).reversed() { follower.step(first[index], second) }
        self.fit = ClockFit(follower.found.sorted { $0.first < $1.first }, near: follower.fit)
        match(first, second)
    }

    /// Follows the relation press after press, since over hours the clocks may drift further apart than presses are.
    private struct Follower {
        var fit: ClockFit
        var found: [(first: Int64, second: Int64)] = []
        var last: Int64?
        var recent: [Double] = []

        /// Continues from a place in the other direction.
        mutating func turn(at time: Int64) {
            last = time
            recent.removeAll()
        }

        mutating func step(_ press: PressTimes.Press, _ second: [PressTimes.Press]) {
            let rest = last.map { abs(Double(press.down.saturatingSubtracting($0))) } ?? 0
            let bound = min(PressMatching.window + 0.0002 * rest, 400 * PressMatching.millisecond)
            var local = fit
            local.offset += ClockFit.median(recent)
            guard let other = PressMatching.nearest(press, in: second, from: 0, local, bound) else { return }
            let stamps = (first: press.down, second: second[other].down)
            found.append(stamps)
            last = press.down
            recent.append(fit.residual(stamps.first, stamps.second))
            if recent.count > 9 { recent.removeFirst() }
            // Each line costs all presses so far: as many as there are doublings.
            if found.count >= 64, found.count & (found.count - 1) == 0 {
                fit = ClockFit(found.sorted { $0.first < $1.first }, near: fit)
                recent.removeAll(keepingCapacity: true)
            }
        }
    }

    /// The press nearest to where one is expected, from a place on; the earlier of two that are as near.
    private static func nearest(
        _ press: PressTimes.Press, in second: [PressTimes.Press], from start: Int, _ fit: ClockFit, _ bound: Double
    ) -> Int? {
        let expected = press.down.saturatingAdding(fit.shift(at: press.down))
        let place = (start..<second.count).partitionPoint { second[$0].down < expected }
        var best: (index: Int, distance: Double)?
        for index in (max(start, place - reach)..<place).reversed() {
            let distance = Double(expected.saturatingSubtracting(second[index].down))
            if distance > best?.distance ?? bound { break }
            if PressTimes.Press.isSame(press, second[index]) { best = (index, distance) }
        }
        for index in place..<min(place + reach, second.count) {
            let distance = Double(second[index].down.saturatingSubtracting(expected))
            if distance > bound || distance >= best?.distance ?? .infinity { break }
            if PressTimes.Press.isSame(press, second[index]) { best = (index, distance) }
        }
        return best?.index
    }

    // MARK: Matching along the line

    private mutating func match(_ first: [PressTimes.Press], _ second: [PressTimes.Press]) {
        let near = min(max(9 * fit.residual, PressMatching.millisecond), PressMatching.window)
        var anchors: [Pair] = []
        var next = 0
        for index in first.indices {
            guard let other = PressMatching.nearest(first[index], in: second, from: next, fit, near) else { continue }
            anchors.append(Pair(first: index, second: other))
            next = other + 1
        }
        fit = ClockFit(anchors.map { (first[$0.first].down, second[$0.second].down) }, near: fit)
        for pair in anchors {
            score += PressMatching.closeness(fit.residual(first[pair.first].down, second[pair.second].down))
        }
        pairs = withLatecomers(anchors, first, second)
    }

    /// Presses between two that are matched, which came much later than others.
    private func withLatecomers(
        _ anchors: [Pair], _ first: [PressTimes.Press], _ second: [PressTimes.Press]
    ) -> [Pair] {
        var all: [Pair] = []
        var (i, j) = (0, 0)
        for anchor in anchors + [Pair(first: first.count, second: second.count)] {
            while i < anchor.first {
                let press = first[i]
                func rest(_ other: Int) -> Double { fit.residual(press.down, second[other].down) }
                while j < anchor.second, rest(j) < -PressMatching.latest { j += 1 }
                var other = j
                let end = min(anchor.second, j + PressMatching.reach)
                while other < end, rest(other) <= PressMatching.latest {
                    // Of a class, any press nearby is one.
                    if press.key == second[other].key, press.key.usage != nil {
                        all.append(Pair(first: i, second: other))
                        j = other + 1
                        break
                    }
                    other += 1
                }
                i += 1
            }
            if anchor.first < first.count { all.append(anchor) }
            (i, j) = (anchor.first + 1, anchor.second + 1)
        }
        return all
    }

    /// The binary logarithm to about 0.1: enough for a score, and the same on every machine.
    private static func logarithm(of value: Double) -> Double {
        guard value > 0, value.isFinite else { return 0 }
        return Double(value.exponent) + value.significand - 1
    }
}
