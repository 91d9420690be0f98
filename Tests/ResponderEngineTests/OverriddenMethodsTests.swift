import KeyModel
import ResponderKit
import Testing

@testable import ResponderEngine

@Suite("Overridden methods") struct OverriddenMethodsTests {
    #if os(Linux)
    @Test("a class's own methods are told from inherited ones, whatever class and module declares them")
    func overrides() {
        #expect(MethodPlaces.found != nil)
        #expect(OverriddenMethods(of: View()) == [] && OverriddenMethods(of: Application()) == [])
        #expect(OverriddenMethods(of: ViewController()).isDisjoint(with: [.pressesBegan, .pressesEnded, .asked]))
        #expect(OverriddenMethods(of: Refusing()) == .canPerformAction)
        #expect(OverriddenMethods(of: RefusingHeir()) == [.canPerformAction, .perform])
        #expect(OverriddenMethods(of: Answering()) == .responds && OverriddenMethods(of: Naming()) == .target)
        #expect(OverriddenMethods(of: TextView(id: "text", text: "")).contains(.textInput))
        #expect(OverriddenMethods(of: Everything()) == .all)
    }

    @Test("generic classes, those that inherit from them and local ones are read like others")
    func generic() {
        final class Local<Value>: Table<[Value]> {
            override var keyboardScrolling: (any KeyboardScrolling)? { next?.keyboardScrolling }
        }
        #expect(OverriddenMethods(of: Table<Int>()) == .pressesEnded)
        #expect(OverriddenMethods(of: Table<String>()) == .pressesEnded)
        #expect(OverriddenMethods(of: TableOfNumbers()) == [.pressesEnded, .pressesBegan])
        #expect(OverriddenMethods(of: Local<TableOfNumbers>()) == [.pressesEnded, .keyboardScrolling])
    }

    @Test("what is answered for a responder counts as overridden, and only of itself")
    func declared() {
        let heir = RefusingHeir()
        heir.declaredMethods = .pressesBegan
        #expect(OverriddenMethods(of: heir) == [.canPerformAction, .perform, .pressesBegan])
        #expect(OverriddenMethods(of: RefusingHeir()) == [.canPerformAction, .perform])
    }
    #endif

    @Test("places that do not come out as one word for each method are not used")
    func surprises() {
        func places(_ method: OverriddenMethods, _ type: Responder.Type) -> MethodPlaces? {
            MethodPlaces(MethodPlaces.samples.map { $0.method == method ? (method, type) : $0 })
        }
        // Two methods, none, a class that is not right under Responder, and a place that is another method's.
        #expect(places(.perform, TwoMethods.self) == nil && places(.perform, NoMethod.self) == nil)
        #expect(places(.perform, Refusing.self) == nil && places(.perform, Responder.self) == nil)
        let doubled = MethodPlaces.samples.first { $0.method == .target }
        #expect(doubled.map { places(.perform, $0.type) == nil } == true)
        // A method without a sample.
        #expect(MethodPlaces([]) == nil && MethodPlaces(Array(MethodPlaces.samples.dropLast())) == nil)
    }
}

private final class Refusing: View {
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool { false }
}

private class RefusingBase: View {
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool { action == "odd:" }
}

private final class RefusingHeir: RefusingBase {
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {}
}

private final class Answering: View {
    override func responds(to action: Selector) -> Bool { action == "answered:" }
}

private final class Naming: View {
    override func target(forAction action: Selector, sender: Any?) -> Responder? { nil }
}

private final class NoMethod: Responder {}

private final class TwoMethods: Responder {
    override func responds(to action: Selector) -> Bool { action == "answered:" }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { event?.isPassedOn = false }
}

private final class Everything: Responder {
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {}
    override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) {}
    override func target(forAction action: Selector, sender: Any?) -> Responder? { nil }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool { true }
    override func responds(to action: Selector) -> Bool { true }
    override var textInput: (any TextInput)? { next?.textInput }
    override var keyboardScrolling: (any KeyboardScrolling)? { next?.keyboardScrolling }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { event?.timestamp = .zero }
}

private class Table<Element>: View {
    override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) {}
}

private final class TableOfNumbers: Table<Int> {
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {}
}
