import ResponderEngine
import TraceFormat

// Options from the environment where the command line has none. A trace keeps the rules that it was recorded under.

extension InputFile {
    /// True when the input contains its presses' outcomes, or its responders' answers.
    var hasRulesOfItsOwn: Bool {
        guard let reader = trace else { return false }
        if let level = reader.report.header?.level, level >= .resolutions { return true }
        // Aligned traces have stages before anything is resolved.
        return TraceIndex(stored: reader.bytes)?.totals.count(of: .stage) ?? 0 > 0
    }
}

extension InputOptions {
    /// The options with the layout that the environment names, for an input that has none of its own.
    func settled(for file: InputFile, _ console: Console) throws -> InputOptions {
        var options = self
        if layout == nil, !file.hasRulesOfItsOwn { options.layout = try console.settings.checkedLayout() }
        return options
    }
}

extension ReplayOptions {
    /// The options with scene, profile and cache policy of the environment, for an input without resolutions.
    func settled(for file: InputFile, _ console: Console) throws -> ReplayOptions {
        var options = self
        guard !file.hasRulesOfItsOwn else { return options }
        let settings = console.settings
        if scene == nil, !file.isScene { options.scene = settings.scene }
        guard options.scene != nil || file.isScene else { return options }
        if profile == nil { options.profile = try settings.checkedProfile() }
        if cache == nil { options.cache = settings.cache }
        return options
    }
}

extension Settings {
    /// A profile that there is.
    fileprivate func checkedProfile() throws -> String? {
        try checked(profile, .profile) { _ = try ProfileChoice.named($0) }
    }

    /// A layout that there is.
    func checkedLayout() throws -> String? {
        try checked(layout, .layout) { _ = try LayoutChoice.named($0) }
    }

    private func checked(_ name: String?, _ variable: Variable, _ check: (String) throws -> Void) throws -> String? {
        guard let name else { return nil }
        do { try check(name) } catch let failure as Failure {
            throw Failure(failure.id, "\(variable.rawValue): \(failure.line)")
        }
        return name
    }
}
