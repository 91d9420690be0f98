public import KeyModel
import ResponderEngine

/// The software keyboard of a scene (spec §9.1): sizes in points, and whether a hardware keyboard is attached.
public struct SoftwareKeyboardDescription: Hashable, Sendable {
    /// `[width, height]`
    public var screen: [Int]?
    public var keysHeight: Int?
    public var splitKeysHeight: Int?
    /// The space below a keyboard that is not docked.
    public var undockedOffset: Int?
    public var candidateBar: Int?
    public var animationDuration: TraceDuration?
    /// A hardware keyboard is attached at the start.
    public var hardwareAttached = true

    public init() {}

    static func read(_ value: YAMLValue) throws(SourceTextError) -> SoftwareKeyboardDescription {
        var map = try value.map("a map such as {hardwareAttached: false, keysHeight: 264}")
        var keyboard = SoftwareKeyboardDescription()
        let points = 0...InputView.maximumHeight
        func height(_ key: String) throws(SourceTextError) -> Int? {
            try map.take(key)?.integer(in: points, "a height in points")
        }
        keyboard.screen = try ResponderDescription.readPair(map.take("screen"), "[width, height]", in: points)
        keyboard.keysHeight = try height("keysHeight")
        keyboard.splitKeysHeight = try height("splitKeysHeight")
        keyboard.undockedOffset = try height("undockedOffset")
        keyboard.candidateBar = try height("candidateBar")
        if let value = map.take("animationDuration") { keyboard.animationDuration = try value.duration() }
        if let value = map.take("hardwareAttached") { keyboard.hardwareAttached = try value.bool() }
        try map.finish()
        return keyboard
    }

    /// Sets an engine up, before any responder is first.
    func configure(_ engine: KeyboardEngine) {
        var geometry = SoftwareKeyboard.Geometry()
        if let screen, screen.count == 2 { (geometry.screenWidth, geometry.screenHeight) = (screen[0], screen[1]) }
        if let keysHeight { geometry.keysHeight = keysHeight }
        if let splitKeysHeight { geometry.splitKeysHeight = splitKeysHeight }
        if let undockedOffset { geometry.undockedOffset = undockedOffset }
        if let animationDuration { geometry.animationDuration = animationDuration }
        engine.setKeyboardGeometry(geometry)
        if let candidateBar { engine.setCandidateBar(height: candidateBar) }
        engine.isKeyboardAttached = hardwareAttached
    }
}
