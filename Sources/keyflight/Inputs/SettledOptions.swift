import ResponderEngine
import Scenes
import TraceFormat

// Options from settings where the command line has none. A trace keeps the rules that it was recorded under.

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
    /// The options with the layout that the settings name, for an input that has none of its own.
    func settled(for file: InputFile, _ console: Console) throws -> InputOptions {
        var options = self
        if layout == nil, !file.hasRulesOfItsOwn { options.layout = try console.settings.layout() }
        return options
    }
}

extension ReplayOptions {
    /// The options with the scene, the profile and the cache policy of the settings, for an input without resolutions.
    func settled(for file: InputFile, _ console: Console) throws -> ReplayOptions {
        var options = self
        guard !file.hasRulesOfItsOwn else { return options }
        let settings = console.settings
        if scene == nil, !file.isScene { options.scene = try settings.scene() }
        guard options.scene != nil || file.isScene else { return options }
        if profile == nil { options.profile = try settings.profile() }
        if cache == nil { options.cache = settings.text(.cache).flatMap { CachePolicy(rawValue: $0) } }
        return options
    }
}

extension Settings {
    /// A profile that there is.
    fileprivate func profile() throws -> String? {
        try checked(.profile) { _ = try ProfileChoice.named($0) }
    }

    /// A layout that there is.
    func layout() throws -> String? {
        try checked(.layout) { _ = try LayoutChoice.named($0) }
    }

    /// A scene that there is.
    fileprivate func scene() throws -> String? {
        try checked(.scene) { path in
            let bytes = try ByteFile.readNamed(path)
            do { _ = try Scene(bytes, file: path) } catch let error as SourceTextError { throw Failure(error) }
        }
    }

    /// Settings come with a repository of others and may name any file of the user: its content is not quoted.
    private func checked(_ setting: Setting, _ check: (String) throws -> Void) throws -> String? {
        guard let name = text(setting) else { return nil }
        do {
            try check(name)
        } catch let failure as Failure {
            let isAboutContent = [.wrongProfileFile, .wrongText].contains(failure.id)
            let line = isAboutContent ? "\(name): expected a \(setting.rawValue), found another file" : failure.line
            throw Failure(failure.id, "\(self[setting].origin.words): \(setting.rawValue): \(line)")
        }
        return name
    }
}
