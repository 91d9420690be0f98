import Libc

Interruption.install()
// A word that is not UTF-8 can be no string: a file that has such a name is opened here, and read by its descriptor.
let words = (1..<max(1, Int(CommandLine.argc))).compactMap { place -> String? in
    guard let word = CommandLine.unsafeArgv[place] else { return nil }
    if let text = String(validatingCString: word) { return text }
    let descriptor = open(word, O_RDONLY | O_CLOEXEC)
    return descriptor < 0 ? String(cString: word) : "/dev/fd/\(descriptor)"
}
exit(Keyflight.run(words, on: Console()).rawValue)
