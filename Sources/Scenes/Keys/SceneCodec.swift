import KeyModel
import ResponderEngine
import ResponderKit

/// The form of a kind of value in a scene: how it is read, and how it is written.
struct SceneCodec<Value>: Sendable {
    let read: @Sendable (YAMLValue) throws(SourceTextError) -> Value
    /// `nil` for values that no written scene has.
    let write: (@Sendable (Value) -> String)?

    init(
        _ read: @escaping @Sendable (YAMLValue) throws(SourceTextError) -> Value,
        write: (@Sendable (Value) -> String)? = nil
    ) {
        self.read = read
        self.write = write
    }

    static func choice() -> Self where Value: RawRepresentable<String> & CaseIterable & SendableMetatype {
        Self({ value throws(SourceTextError) in try value.choice(Value.self) }, write: \.rawValue)
    }

    static func list<Element>(_ expected: String, of element: SceneCodec<Element>) -> Self where Value == [Element] {
        Self({ value throws(SourceTextError) in
            try value.list(expected, element.read)
        }, write: { list in SceneScalar.list(list.compactMap { element.write?($0) }) })
    }
}

extension SceneCodec where Value == Bool {
    static var flag: Self { Self({ value throws(SourceTextError) in try value.bool() }, write: { "\($0)" }) }
}

extension SceneCodec where Value == Int {
    static func integer(in range: ClosedRange<Int>, _ expected: String) -> Self {
        Self({ value throws(SourceTextError) in try value.integer(in: range, expected) }, write: { "\($0)" })
    }

    static var height: Self { .integer(in: 0...InputView.maximumHeight, "a height in points") }
}

extension SceneCodec where Value == String {
    static var text: Self {
        Self({ value throws(SourceTextError) in try value.string() }, write: SceneScalar.text)
    }

    static var selector: Self {
        Self({ value throws(SourceTextError) in try value.selector() }, write: SceneScalar.text)
    }

    static func name(_ expected: String) -> Self {
        Self({ value throws(SourceTextError) in try value.name(expected) }, write: SceneScalar.text)
    }

    static var id: Self { .name("the id of a responder") }

    /// An empty text is allowed: it matches no key (spec DT-7).
    static var input: Self {
        Self({ value throws(SourceTextError) in
            let text = try value.string(InputName.expected)
            guard let input = text.isEmpty ? "" : InputName.input(text) else { throw value.error(InputName.expected) }
            return input
        }, write: { InputName.name(of: $0).map(SceneScalar.text) ?? "\"\"" })
    }
}

extension SceneCodec where Value == KeyModifiers {
    static var modifiers: Self {
        Self({ value throws(SourceTextError) in
            let expected = "a list of " + KeyModifiers.named.map(\.name).joined(separator: ", ")
            var modifiers: KeyModifiers = []
            for entry in try value.list(expected) {
                guard let modifier = KeyModifiers(name: try entry.string(expected)) else { throw entry.error(expected) }
                modifiers.formUnion(modifier)
            }
            return modifiers
        }, write: { modifiers in
            SceneScalar.list(KeyModifiers.named.filter { modifiers.contains($0.flag) }.map(\.name))
        })
    }
}

extension SceneCodec where Value == TraceDuration {
    static var duration: Self { Self({ value throws(SourceTextError) in try value.duration() }) }
}

extension SceneCodec where Value == Extent {
    /// Two numbers of points.
    static func extent(_ expected: String, in points: ClosedRange<Int> = 0...1_000_000_000) -> Self {
        Self({ value throws(SourceTextError) in
            let expected = "\(expected) in points"
            let pair = try value.list(expected) { entry throws(SourceTextError) in
                try entry.integer(in: points, "a whole number of points from 0")
            }
            guard pair.count == 2 else { throw value.error(expected, found: "\(pair.count) numbers") }
            return Extent(width: pair[0], height: pair[1])
        }, write: \.text)
    }
}

extension SceneCodec where Value == CalendarDay {
    /// `yyyy-mm-dd` of the Gregorian calendar, in the years that a picker has.
    static var day: Self {
        Self({ value throws(SourceTextError) in
            let expected = "a date such as 2026-11-21"
            guard let day = CalendarDay(text: try value.string(expected)) else {
                throw value.error(expected + ", from the year 0001 on")
            }
            return day
        })
    }
}

extension Extent {
    /// `[width, height]`.
    var text: String { "[\(width), \(height)]" }
}
