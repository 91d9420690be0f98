import Libc

/// Creates a thread that handles no signal of the process, which the host handles where it means to: a handler that
/// records would wait here for what it interrupted. Crashes stay the crash reporter's.
func withoutSignals<R>(_ create: () -> R) -> R {
    var (most, before) = (sigset_t(), sigset_t())
    sigfillset(&most)
    for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&most, signal) }
    pthread_sigmask(SIG_SETMASK, &most, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return create()
}

#if canImport(Darwin)
func flusherMain(_ raw: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Flusher>.fromOpaque(raw).takeRetainedValue().run()
    return nil
}
#else
func flusherMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { Unmanaged<Flusher>.fromOpaque(raw).takeRetainedValue().run() }
    return nil
}
#endif
