public import KeyModel

/// Placement of the software keyboard (spec TX-2).
public enum KeyboardFrameState: UInt8, NamedCase, NamedCode, Hashable, Sendable {
    case hidden, docked, undocked, split

    public static let names = ["hidden", "docked", "undocked", "split"]
}

/// Cause of a change of the keyboard's frame (spec TX-2, TX-3).
public enum KeyboardFrameCause: UInt8, NamedCase, NamedCode, Hashable, Sendable {
    case bringUp, dismissal, candidateBar, dock, undock, split, join, hardwareAttach, hardwareDetach, accessory
    case rotation, unknown

    public static let names = [
        "bringUp", "dismissal", "candidateBar", "dock", "undock", "split", "join", "hardwareAttach", "hardwareDetach",
        "accessory", "rotation", "unknown",
    ]
}

/// The keyboard's state and frame from here on.
public struct KeyboardFrameRecord: Hashable, Sendable {
    public var state: KeyboardFrameState
    /// `nil` where it is unknown.
    public var frame: Frame?
    public var cause: KeyboardFrameCause

    /// In thousandths of a point, in the coordinates of the screen.
    public struct Frame: Hashable, Sendable {
        public var x: Int64
        public var y: Int64
        public var width: Int64
        public var height: Int64

        public init(x: Int64, y: Int64, width: Int64, height: Int64) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    public init(state: KeyboardFrameState, frame: Frame? = nil, cause: KeyboardFrameCause) {
        self.state = state
        self.frame = frame
        self.cause = cause
    }
}

extension KeyboardFrameRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.choice("state", &state)
        var (x, y, width, height) = (frame?.x, frame?.y, frame?.width, frame?.height)
        try w.optionalSigned("x_mpt", &x)
        try w.optionalSigned("y_mpt", &y)
        try w.optionalSigned("width_mpt", &width)
        try w.optionalSigned("height_mpt", &height)
        try w.choice("cause", &cause)
        if let x, let y, let width, let height {
            frame = Frame(x: x, y: y, width: width, height: height)
        } else if x == nil, y == nil, width == nil, height == nil {
            frame = nil
        } else {
            throw TraceError(.field, field: "x_mpt", expected: "all four of the frame or none", found: "some")
        }
    }
}
