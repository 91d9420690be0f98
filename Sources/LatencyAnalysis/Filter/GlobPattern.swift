/// A pattern in which `*` matches any text and `?` one character. Matching takes time that grows with the
/// product of both lengths at most.
package struct GlobPattern {
    private let pattern: [Character]

    package init(_ pattern: String) { self.pattern = Array(pattern) }

    package func matches(_ text: String) -> Bool {
        let text = Array(text)
        var (p, t) = (0, 0)
        var star: (p: Int, t: Int)?
        while t < text.count {
            if p < pattern.count, pattern[p] == "*" {
                star = (p, t)
                p += 1
            } else if p < pattern.count, pattern[p] == "?" || pattern[p] == text[t] {
                p += 1
                t += 1
            } else if let last = star {
                // The star takes one more.
                star = (last.p, last.t + 1)
                (p, t) = (last.p + 1, last.t + 1)
            } else {
                return false
            }
        }
        return pattern[p...].allSatisfy { $0 == "*" }
    }
}
