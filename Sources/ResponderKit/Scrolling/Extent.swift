public import ResponderEngine

/// A point or a size, in points.
public struct Extent: Hashable, Sendable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    static let zero = Extent(width: 0, height: 0)
}

/// The place and size of something in the content, in points.
public typealias Frame = SoftwareKeyboard.Frame

extension Frame {
    /// Twice the centre's coordinates, which are whole numbers then.
    var doubleMidX: Int { 2 * x + width }
    var doubleMidY: Int { 2 * y + height }

    func meets(_ other: Frame) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }
}

/// A direction on the screen, which is not mirrored.
public enum ArrowDirection: CaseIterable, Hashable, Sendable {
    case up, down, left, right

    var isVertical: Bool { self == .up || self == .down }
    /// Towards larger coordinates.
    var isForward: Bool { self == .down || self == .right }

    var opposite: ArrowDirection {
        switch self {
        case .up: .down
        case .down: .up
        case .left: .right
        case .right: .left
        }
    }

    var mirrored: ArrowDirection { isVertical ? self : opposite }
}
