import KeyModel
public import ResponderEngine
import ResponderKit

/// The software keyboard of a scene (spec §9.1): sizes in points, and whether a hardware keyboard is attached.
public struct SoftwareKeyboardDescription: Hashable, Sendable {
    public var geometry = SoftwareKeyboard.Geometry()
    public var candidateBar = 0
    /// A hardware keyboard is attached at the start.
    public var hardwareAttached = true

    public init() {}

    private static let points = 0...InputView.maximumHeight
    private static let keys: [SceneKey<Self>] = [
        SceneKey("screen") { value, _, keyboard throws(SourceTextError) in
            let screen = try SceneCodec.extent("[width, height]", in: points).read(value)
            (keyboard.geometry.screenWidth, keyboard.geometry.screenHeight) = (screen.width, screen.height)
        },
        SceneKey("keysHeight", \.geometry.keysHeight, .height),
        SceneKey("splitKeysHeight", \.geometry.splitKeysHeight, .height),
        SceneKey("undockedOffset", \.geometry.undockedOffset, .height),
        SceneKey("candidateBar", \.candidateBar, .height),
        SceneKey("animationDuration", \.geometry.animationDuration, .duration),
        SceneKey("hardwareAttached", \.hardwareAttached, .flag),
    ]

    static func read(_ value: YAMLValue) throws(SourceTextError) -> SoftwareKeyboardDescription {
        var map = try value.map("a map such as {hardwareAttached: false, keysHeight: 264}")
        var keyboard = SoftwareKeyboardDescription()
        try map.read(keys, into: &keyboard)
        try map.finish()
        return keyboard
    }

    /// Sets an engine up, before any responder is first.
    func configure(_ engine: KeyboardEngine) {
        engine.setKeyboardGeometry(geometry)
        engine.setCandidateBar(height: candidateBar)
        engine.isKeyboardAttached = hardwareAttached
    }
}
