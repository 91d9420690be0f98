/// Threads that work on jobs beside each other; the results are handed over in the order of the jobs, on the calling
/// thread.
package final class OrderedWorkers<Job: Sendable, Result: Sendable>: @unchecked Sendable {
    private let work: @Sendable (Job) -> Result
    private let lock = Lock()
    /// Under the lock, as are those that follow.
    private var waiting: [(number: Int, job: Job)] = []
    private var results: [Int: Result] = [:]
    private var isClosed = false

    package init(_ work: @escaping @Sendable (Job) -> Result) { self.work = work }

    /// Takes jobs from `next` until there is none, each with its weight, and hands each result to `hand`.
    ///
    /// - Parameters:
    ///   - threads: At least one; without any that can be started, the calling one does the work.
    ///   - weight: Jobs that are taken and not handed over weigh no more, except where one alone does.
    package func run(
        threads: Int, weight limit: Int, next: () throws -> (job: Job, weight: Int)?, hand: (Result) throws -> Void
    ) rethrows {
        let started = (0..<threads).compactMap { _ in try? WorkerThread.start { self.serve() } }
        defer {
            lock.with {
                isClosed = true
                waiting = []
                lock.wakeAll()
            }
            for thread in started { pthread_join(thread, nil) }
        }
        var weights: [Int] = []
        var (taken, handed, isOver) = (0, 0, false)
        while true {
            while !isOver, taken - handed < 4 * threads, weights.isEmpty || weights.reduce(0, +) < limit {
                guard let (job, weight) = try next() else {
                    isOver = true
                    break
                }
                weights.append(weight)
                lock.with {
                    waiting.append((taken, job))
                    lock.wakeAll()
                }
                taken += 1
            }
            guard handed < taken else { return }
            if started.isEmpty { serveOne() }
            try hand(result(of: handed))
            handed += 1
            weights.removeFirst()
        }
    }

    private func result(of number: Int) -> Result {
        lock.with {
            while true {
                if let result = results.removeValue(forKey: number) { return result }
                lock.wait()
            }
        }
    }

    private func serve() { while serveOne() {} }

    /// False when nothing will come any more.
    @discardableResult
    private func serveOne() -> Bool {
        let taken = lock.with { () -> (number: Int, job: Job)? in
            while waiting.isEmpty, !isClosed { lock.wait() }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
        guard let taken else { return false }
        let result = work(taken.job)
        lock.with {
            results[taken.number] = result
            lock.wakeAll()
        }
        return true
    }
}

/// A thread that runs one closure.
package final class WorkerThread {
    private let body: () -> Void
    /// As much as the first thread of a process has.
    private static let stack = 8 << 20

    private init(_ body: @escaping () -> Void) { self.body = body }

    /// The system's code where it has no thread left.
    package struct Failure: Error {
        package let code: Int32
    }

    package static func start(_ body: @escaping () -> Void) throws(Failure) -> pthread_t? {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stack)
        let thread = Unmanaged.passRetained(WorkerThread(body))
        #if canImport(Darwin)
            var started: pthread_t?
            let code = pthread_create(&started, &attributes, { raw in
                Unmanaged<WorkerThread>.fromOpaque(raw).takeRetainedValue().body()
                return nil
            }, thread.toOpaque())
        #else
            var started = pthread_t()
            let code = pthread_create(&started, &attributes, { raw in
                if let raw { Unmanaged<WorkerThread>.fromOpaque(raw).takeRetainedValue().body() }
                return nil
            }, thread.toOpaque())
        #endif
        guard code == 0 else {
            thread.release()
            throw Failure(code: code)
        }
        return started
    }
}
