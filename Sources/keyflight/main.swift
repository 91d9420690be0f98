import Libc

Interruption.install()
let words = (1..<max(1, Int(CommandLine.argc))).reduce(into: [String]()) { words, place in
    guard let word = CommandLine.unsafeArgv[place] else { return }
    words.append(GivenName.word(word, after: words.last ?? ""))
}
exit(Keyflight.run(words, on: Console()).rawValue)
