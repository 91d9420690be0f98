import KeyModel
import Testing

@testable import FlightReplay

@Suite struct RepeatScheduleTests {
    private let delay = TraceDuration(nanoseconds: 400)
    private let interval = TraceDuration(nanoseconds: 100)

    private func times(_ schedule: inout RepeatSchedule, until: Int64) -> [Int64] {
        var times: [Int64] = []
        while let tick = schedule.nextTick(notAfter: TraceTime(nanoseconds: until)) {
            times.append(tick.time.nanoseconds)
        }
        return times
    }

    @Test func ticksFallAtDelayPlusIntervalsUpToTheReleaseInclusive() {
        var schedule = RepeatSchedule()
        schedule.begin(press: 1, at: .zero, delay: delay, interval: interval)
        #expect(times(&schedule, until: 399) == [])
        #expect(times(&schedule, until: 600) == [400, 500, 600])
        schedule.end(press: 1)
        #expect(times(&schedule, until: 5_000) == [])
    }

    @Test func ticksOfSeveralKeysComeInTheOrderOfTimeThenPress() {
        var schedule = RepeatSchedule()
        schedule.begin(press: 1, at: .zero, delay: delay, interval: interval)
        schedule.begin(press: 2, at: TraceTime(nanoseconds: 100), delay: delay, interval: interval)
        var order: [[UInt32]] = []
        while let tick = schedule.nextTick(notAfter: TraceTime(nanoseconds: 600)) {
            order.append([tick.press, tick.number])
        }
        #expect(order == [[1, 1], [1, 2], [2, 1], [1, 3], [2, 2]])
    }

    @Test func anIntervalOfZeroRepeatsOnce() {
        var schedule = RepeatSchedule()
        schedule.begin(press: 1, at: .zero, delay: delay, interval: .zero)
        #expect(times(&schedule, until: .max) == [400])
    }

    @Test func aKeyHeldForCenturiesStopsRepeating() {
        var schedule = RepeatSchedule()
        schedule.begin(press: 1, at: .zero, delay: delay, interval: interval)
        var count = 0
        while schedule.nextTick(notAfter: TraceTime(nanoseconds: .max)) != nil { count += 1 }
        #expect(count == Int(RepeatSchedule.maximumRepeats) + RepeatSchedule.repeatsPerKey)
    }
}

@Suite struct ServiceQueueTests {
    @Test func anIdleQueueServesAtOnce() {
        let queue = ServiceQueue()
        #expect(queue.delay(at: TraceTime(nanoseconds: 5)) == .zero)
    }

    @Test func whatArrivesDuringServiceWaits() {
        var queue = ServiceQueue()
        queue.serve(arrival: TraceTime(nanoseconds: 0), service: TraceDuration(nanoseconds: 250))
        #expect(queue.delay(at: TraceTime(nanoseconds: 100)) == TraceDuration(nanoseconds: 150))
        queue.serve(arrival: TraceTime(nanoseconds: 100), service: TraceDuration(nanoseconds: 250))
        #expect(queue.idleFrom == TraceTime(nanoseconds: 500))
        #expect(queue.delay(at: TraceTime(nanoseconds: 600)) == .zero)
    }
}
