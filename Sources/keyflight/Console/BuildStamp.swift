import CBuildStamp
import TraceFormat

/// The version of the program, and the commit that it was built from.
enum BuildStamp {
    /// `VERSION COMMIT`, or nothing where Scripts/install did not build the program.
    private static let words = String(cString: keyflight_build_stamp()).split(separator: " ").map(String.init)

    /// That of the nearest tag with the commits since, such as `0.2.0+5.gd94d4e75`; of other builds the last release.
    static let version = words.first ?? "0.2.0"

    /// The answer to `--version`.
    static let text = """
        \(version)
        commit: \(words.count > 1 ? words[1] : "not recorded, Scripts/install does")
        trace format: reads and writes versions \(TraceLimits.versionNames.replacing(" or ", with: " and "))
        """
}
