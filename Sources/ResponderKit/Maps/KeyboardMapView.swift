public import KeyModel
public import ResponderEngine

/// A map that keys turn to the north and take to where the user is (spec §8.3).
open class KeyboardMapView: View {
    public final var isRotateEnabled = true
    /// Clockwise from north, in degrees.
    public final var heading = 0
    public final var showsUserLocation = false
    /// The user's location, in points of the map; `nil` while that is not known.
    public final var userLocation: Extent?
    public final private(set) var centre = Extent(width: 0, height: 0)

    private final let snap = DiscoverableKeyCommand(
        title: "Snap to North", action: "snapToNorth:", input: KeyCommand.inputUpArrow,
        modifierFlags: [.shift, .command]
    ).unmirrored()
    private final let locate = DiscoverableKeyCommand(
        title: "Go to Current Location", action: "goToUserLocation:", input: "l", modifierFlags: .command)

    public override init(id: String? = nil) { super.init(id: id) }

    private final var canLocate: Bool { showsUserLocation && userLocation != nil }

    open override var keyCommands: [KeyCommand]? {
        var commands = super.keyCommands ?? []
        if isRotateEnabled { commands.append(snap) }
        if canLocate { commands.append(locate) }
        return commands.ofTheChain
    }

    open override class var actions: [Action] {
        super.actions + [
            Action("snapToNorth:", performing: { (map: KeyboardMapView, _) in map.heading = 0 }),
            Action("goToUserLocation:", performing: { (map: KeyboardMapView, _) in map.goToUserLocation() }),
        ]
    }

    private final func goToUserLocation() {
        guard showsUserLocation, let userLocation, userLocation != centre else { return }
        centre = userLocation
        report(.offset, .numbers([userLocation.width, userLocation.height]))
    }

    open override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        guard super.canPerformAction(action, withSender: sender) else { return false }
        switch action.name {
        case "snapToNorth:": return isRotateEnabled
        case "goToUserLocation:": return canLocate
        default: return true
        }
    }

    open override var hasComponentState: Bool { true }
    open override func combineState(into hash: inout StableHash) {
        hash.combine(heading)
        hash.combine(centre.width)
        hash.combine(centre.height)
    }
}
