import KeyModel

/// Which of the methods that every press would call a responder's class, or one between it and `Responder`,
/// overrides. What is not overridden does what `Responder` does, and need not be called to know that.
///
/// What `Application` overrides counts as not overridden: it is about one action, `Window.cycleAction`.
package struct OverriddenMethods: OptionSet, Sendable {
    package let rawValue: UInt8

    package static let pressesBegan = OverriddenMethods(rawValue: 1)
    package static let pressesEnded = OverriddenMethods(rawValue: 2)
    package static let target = OverriddenMethods(rawValue: 4)
    package static let canPerformAction = OverriddenMethods(rawValue: 8)
    package static let responds = OverriddenMethods(rawValue: 16)
    package static let textInput = OverriddenMethods(rawValue: 32)
    package static let keyboardScrolling = OverriddenMethods(rawValue: 64)
    package static let perform = OverriddenMethods(rawValue: 128)
    package static let all = OverriddenMethods(rawValue: 255)
    /// Those that decide who performs an action.
    static let asked: OverriddenMethods = [.target, .canPerformAction, .responds]

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// With those that are answered for it.
    init(of responder: Responder) {
        self = OverriddenMethods(ofClass: type(of: responder)).union(responder.declaredMethods)
    }

    package init(ofClass type: Responder.Type) { self = MethodPlaces.found?.overridden(by: type) ?? .all }
}

/// Where the methods stand in the table of each class of responders, in words from the class's own address, and what
/// stands there in `Responder`'s.
///
/// The language has no question for what a class overrides. Its method table has the answer: where a method is not
/// overridden, the address stands there that stands in `Responder`'s. That this is so for every class of responders
/// follows from what the compiler's ABI promises of classes on Linux:
///
/// - A class's value is the address of its description. That of a subclass begins with all of its superclass's, entry
///   by entry, generic or not and whichever module it is from; a description made at run time (a generic class, a
///   superclass of a library with stable ABI) begins with a copy. So a place in `Responder`'s is one in each of them.
/// - A call of a method that can be overridden goes to the address in the table, so that a class with another
///   behaviour has another address there. That two classes have one address for one behaviour does no harm, and neither
///   does one behaviour at two addresses: it counts as overridden, and is called.
/// - Nothing writes to the table after the class is made. Methods are replaced at run time only where they are declared
///   `dynamic`, which these are not, and no class is put between an object and its class as Objective-C does.
///
/// Nothing is taken for granted that can be looked at. Each method's place is found by comparing a class that overrides
/// it alone with one that overrides nothing, and where that does not come out as one word, all of them different, or
/// the description does not have the form that is expected, every method counts as overridden by every class. The same
/// is so with a compiler that this has not been seen with, on other machines, and where Objective-C's run time is there
/// too. That costs time and changes nothing else.
struct MethodPlaces: Sendable {
    private struct Place {
        let word: Int
        let method: OverriddenMethods
        let original: UInt
        /// What `Application` has there.
        let application: UInt
    }

    private let places: [Place]

    static let found = MethodPlaces(samples)

    func overridden(by type: Responder.Type) -> OverriddenMethods {
        guard let words = MethodPlaces.words(of: type) else { return .all }
        var methods: OverriddenMethods = []
        for place in places where words[place.word] != place.original && words[place.word] != place.application {
            methods.insert(place.method)
        }
        return methods
    }

    /// `nil` where a method's place is not the one word in which its sample differs from `Responder`, and a class that
    /// overrides nothing does not.
    init?(_ samples: [(method: OverriddenMethods, type: Responder.Type)]) {
        guard let size = MethodPlaces.size(of: Responder.self),
            let original = MethodPlaces.words(of: Responder.self),
            let application = MethodPlaces.words(of: Application.self, holding: size),
            let plain = MethodPlaces.words(of: OverridesNothing.self, holding: size, under: Responder.self)
        else { return nil }
        var places: [Place] = []
        for (method, type) in samples {
            guard let sample = MethodPlaces.words(of: type, holding: size, under: Responder.self) else { return nil }
            let differing = (0..<size).filter { plain[$0] == original[$0] && sample[$0] != original[$0] }
            guard differing.count == 1, let word = differing.first, word >= MethodPlaces.headWords else { return nil }
            places.append(Place(word: word, method: method, original: original[word], application: application[word]))
        }
        guard Set(places.map(\.word)).count == places.count,
            OverriddenMethods(places.map(\.method)) == .all
        else { return nil }
        self.places = places
    }

    /// Kind, superclass, flags and sizes, the nominal type's description and the destroyer: what each class has before
    /// its methods.
    private static let headWords = 7

    private static func words(of type: Responder.Type) -> UnsafePointer<UInt>? {
        UnsafePointer(bitPattern: UInt(bitPattern: ObjectIdentifier(type)))
    }

    /// `nil` where the class's description has fewer words, or another superclass.
    private static func words(
        of type: Responder.Type, holding size: Int, under superclass: Responder.Type? = nil
    ) -> UnsafePointer<UInt>? {
        guard let own = self.size(of: type), own >= size, let words = words(of: type) else { return nil }
        if let superclass, words[1] != UInt(bitPattern: ObjectIdentifier(superclass)) { return nil }
        return words
    }

    /// How many words of a class's description follow its address; `nil` where they have another form.
    private static func size(of type: Responder.Type) -> Int? {
        #if os(Linux) && !canImport(ObjectiveC) && (arch(x86_64) || arch(arm64)) && compiler(<6.5)
        guard let words = words(of: type) else { return nil }
        // A kind of 0 is a class; the low half of word 4 is the size in bytes, the high half how many of them come
        // before the address.
        guard words[0] == 0, MemoryLayout<UInt>.size == 8 else { return nil }
        let whole = Int(truncatingIfNeeded: words[4] & 0xFFFF_FFFF)
        let before = Int(truncatingIfNeeded: words[4] >> 32)
        let after = whole - before
        guard before > 0, before <= 64, after > headWords * 8, after < 8192, after.isMultiple(of: 8) else { return nil }
        return after / 8
        #else
        return nil
        #endif
    }

    /// A class for each method that overrides it alone.
    static let samples: [(method: OverriddenMethods, type: Responder.Type)] = [
        (.pressesBegan, OverridesPressesBegan.self), (.pressesEnded, OverridesPressesEnded.self),
        (.target, OverridesTarget.self), (.canPerformAction, OverridesCanPerformAction.self),
        (.responds, OverridesResponds.self), (.textInput, OverridesTextInput.self),
        (.keyboardScrolling, OverridesKeyboardScrolling.self), (.perform, OverridesPerform.self),
    ]
}

private final class OverridesNothing: Responder {}

private final class OverridesPressesBegan: Responder {
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) { event?.timestamp = .zero }
}

private final class OverridesPressesEnded: Responder {
    override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) { event?.timestamp = .zero }
}

private final class OverridesTarget: Responder {
    override func target(forAction action: Selector, sender: Any?) -> Responder? { self }
}

private final class OverridesCanPerformAction: Responder {
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool { isFirstResponder }
}

private final class OverridesResponds: Responder {
    override func responds(to action: Selector) -> Bool { isFirstResponder }
}

private final class OverridesTextInput: Responder {
    override var textInput: (any TextInput)? { explicitNext?.textInput }
}

private final class OverridesKeyboardScrolling: Responder {
    override var keyboardScrolling: (any KeyboardScrolling)? { explicitNext?.keyboardScrolling }
}

private final class OverridesPerform: Responder {
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { event?.timestamp = .zero }
}
