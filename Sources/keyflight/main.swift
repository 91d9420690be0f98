import Libc

Interruption.install()
let words = (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0].map { GivenName.word($0) } }
exit(Keyflight.run(words, on: Console()).rawValue)
