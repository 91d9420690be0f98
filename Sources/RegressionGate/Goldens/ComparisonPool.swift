import Libc
public import Scenes

extension GoldenComparison {
    /// Each golden replayed and compared, in the order of `cases` whatever the number of threads. Unless said, there
    /// are as many of these as processors. `onProgress` is told, on the calling thread, how many are done.
    public static func all(
        _ cases: [GoldenCase], resources: SceneResources, rules: GoldenRules = GoldenRules(), threads: Int? = nil,
        onProgress: (_ done: Int) -> Void = { _ in }
    ) -> [GoldenComparison] {
        let crew = ComparisonPool(cases) { GoldenComparison($0, resources: resources, rules: rules) }
        return crew.comparisons(
            threads: min(threads ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), cases.count), onProgress)
    }
}

/// Threads that take one golden after the other. Responders, engine and recorder of a golden belong to the thread that
/// made them; what threads share is which golden is next, and what became of each.
private final class ComparisonPool: @unchecked Sendable {
    private let cases: [GoldenCase]
    private let compare: @Sendable (GoldenCase) -> GoldenComparison
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// Under the mutex, as are those that follow.
    private var next = 0
    private var found: [GoldenComparison?]
    private var done = 0

    /// As much as the first thread of a process has: a scene may be deep.
    private static let stack = 8 << 20

    init(_ cases: [GoldenCase], _ compare: @escaping @Sendable (GoldenCase) -> GoldenComparison) {
        self.cases = cases
        self.compare = compare
        found = Array(repeating: nil, count: cases.count)
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    func comparisons(threads: Int, _ onProgress: (Int) -> Void) -> [GoldenComparison] {
        // The calling one works as well, and does all of it where no other can be had.
        let others = (1..<max(1, threads)).compactMap { _ in start() }
        work(onProgress)
        for thread in others { pthread_join(thread, nil) }
        return locked { found.compactMap(\.self) }
    }

    private func work(_ onProgress: (Int) -> Void) {
        while let place = locked({ takeNext() }) {
            let comparison = compare(cases[place])
            onProgress(locked { finish(place, comparison) })
        }
    }

    /// The result is how many are done.
    private func finish(_ place: Int, _ comparison: GoldenComparison) -> Int {
        found[place] = comparison
        done += 1
        return done
    }

    private func takeNext() -> Int? {
        guard next < cases.count else { return nil }
        defer { next += 1 }
        return next
    }

    private func locked<R>(_ body: () -> R) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    private func start() -> pthread_t? {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return nil }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, ComparisonPool.stack)
        let crew = Unmanaged.passRetained(self)
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = pthread_create(&thread, &attributes, { raw in
                Unmanaged<ComparisonPool>.fromOpaque(raw).takeRetainedValue().work { _ in }
                return nil
            }, crew.toOpaque())
        #else
            var thread = pthread_t()
            let code = pthread_create(&thread, &attributes, { raw in
                if let raw { Unmanaged<ComparisonPool>.fromOpaque(raw).takeRetainedValue().work { _ in } }
                return nil
            }, crew.toOpaque())
        #endif
        guard code == 0 else {
            crew.release()
            return nil
        }
        return thread
    }
}
