#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

Interruption.install()
exit(Keyflight.run(Array(CommandLine.arguments.dropFirst()), on: Console()).rawValue)
