import Libc


/// A thread of the system's own kind.
final class RecordingThread: @unchecked Sendable {
    private let body: @Sendable () -> Void
    #if canImport(Darwin)
    private var thread: pthread_t?
    #else
    private var thread = pthread_t()
    #endif

    private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    @discardableResult static func launch(_ body: @escaping @Sendable () -> Void) -> RecordingThread {
        let thread = RecordingThread(body)
        let context = Unmanaged.passRetained(thread).toOpaque()
        #if canImport(Darwin)
        let code = pthread_create(&thread.thread, nil, { raw in
            Unmanaged<RecordingThread>.fromOpaque(raw).takeRetainedValue().body()
            return nil
        }, context)
        #else
        let code = pthread_create(&thread.thread, nil, { raw in
            if let raw { Unmanaged<RecordingThread>.fromOpaque(raw).takeRetainedValue().body() }
            return nil
        }, context)
        #endif
        if code != 0 { fail("no thread") }
        return thread
    }

    func join() {
        #if canImport(Darwin)
        if let thread { pthread_join(thread, nil) }
        #else
        pthread_join(thread, nil)
        #endif
    }
}
