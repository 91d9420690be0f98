import Libc

Interruption.install()
exit(Keyflight.run(Array(CommandLine.arguments.dropFirst()), on: Console()).rawValue)
