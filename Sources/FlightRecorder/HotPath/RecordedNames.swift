import Atomics

/// A key command as an app supplies it, in the words of a trace. An app's own type conforms in a few lines.
public protocol RecordedCommand {
    /// Value of `input`; `nil` matches nothing.
    var recordedInput: String? { get }
    var recordedModifiers: KeyModifiers { get }
    /// Selector by name.
    var recordedAction: String { get }
    var recordedAttributes: CommandDefinition.Attributes { get }
    /// A title that may be stored. Titles are often made of what a person wrote (names of tabs, of documents), so the
    /// default is none.
    var publicTitle: String? { get }
}

extension RecordedCommand {
    public var recordedAttributes: CommandDefinition.Attributes { [] }
    public var publicTitle: String? { nil }
}

/// A responder by the name that the trace gives it.
public struct RecordedResponder: Hashable, Sendable {
    /// 1-based; 0 is none.
    package let number: UInt32

    /// `id`: unique in the recording. `kind`: what it is, such as its class.
    public init(id: String, kind: String) {
        guard Keyflight.isCompiledIn else {
            number = 0
            return
        }
        var hash = NameTable.shared.hash(.handle)
        hash.combine(id)
        hash.combine(kind)
        number = NameTable.shared.responder(hash.final) { ResponderDefinition(id: id, kind: kind) }
    }

    package init(number: UInt32) { self.number = number }
}

/// A text by its number in the recording's names: a selector, the path of a menu item.
public struct RecordedName: Hashable, Sendable {
    /// 1-based; 0 is none.
    package let number: UInt32

    public init(_ text: String) {
        guard Keyflight.isCompiledIn else {
            number = 0
            return
        }
        var hash = NameTable.shared.hash(.text)
        hash.combine(text)
        number = NameTable.shared.text(hash.final) { text }
    }

    /// False where nothing is recorded, and beyond the names that are kept, of which each is counted.
    package var isKnown: Bool { number != 0 && number != NameTable.unnamed }

    /// Name of the text that an address represents for as long as the process runs, as that of a selector does. `text`
    /// is called, and a lock taken, where this thread has not met the address. None while nothing is recorded.
    package init(at address: UnsafeRawPointer, _ text: () -> UnsafePointer<CChar>?) {
        number = Keyflight.buffer(0)?.text(at: address, text) ?? 0
    }
}

extension Keyflight {
    /// Gives an object the id that the trace uses for it. Without one it is named by its class, `#2` and so on from
    /// the second object of a class on.
    public static func name(_ object: AnyObject, _ id: String) {
        guard isCompiledIn else { return }
        let kind = String(describing: type(of: object))
        NameTable.shared.set(objectHash(object), to: ResponderDefinition(id: id, kind: kind))
    }

    /// Forgets an object that goes away, for its `deinit`: a new object at the same address is another one.
    public static func forget(_ object: AnyObject) {
        if isCompiledIn { NameTable.shared.set(objectHash(object), to: nil) }
    }

    @inline(__always) static func objectHash(_ object: AnyObject) -> UInt64 {
        var hash = NameTable.shared.hash(.object)
        hash.combine(UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())))
        hash.combine(UInt64(UInt(bitPattern: ObjectIdentifier(type(of: object)))))
        return hash.final
    }
}

/// Numbers of names, found by each thread without a lock or an allocation once it has met them.
extension UnsafeMutablePointer where Pointee == ThreadBuffer {
    func responder(_ object: AnyObject?) -> UInt32 {
        guard let object else { return 0 }
        let hash = Keyflight.objectHash(object)
        if let known = known(hash) { return known }
        return remember(hash) { NameTable.shared.responder(hash, ofKind: String(describing: type(of: object))) }
    }

    func text(_ text: String?) -> UInt32 {
        guard let text else { return 0 }
        var hash = NameTable.shared.hash(.text)
        hash.combine(text)
        if let known = known(hash.final) { return known }
        return remember(hash.final) { NameTable.shared.text(hash.final) { text } }
    }

    /// Number of a C string, whose bytes are copied only where the text is new.
    func text(_ text: UnsafePointer<CChar>?) -> UInt32 {
        guard let text else { return 0 }
        let bytes = bytes(ofCString: text)
        var hash = NameTable.shared.hash(.text)
        hash.combine(bytes)
        if let known = known(hash.final) { return known }
        return remember(hash.final) { NameTable.shared.text(hash.final) { String(decoding: bytes, as: UTF8.self) } }
    }

    func text(at address: UnsafeRawPointer, _ text: () -> UnsafePointer<CChar>?) -> UInt32 {
        var hash = NameTable.shared.hash(.address)
        hash.combine(UInt64(UInt(bitPattern: address)))
        if let known = known(hash.final) { return known }
        return remember(hash.final) { self.text(text()) }
    }

    func list<C: RecordedCommand>(_ commands: some Collection<C>) -> UInt32 {
        var hash = NameTable.shared.hash(.list)
        for command in commands {
            hash.combine(command.recordedInput)
            hash.combine(command.recordedAction)
            hash.combine(command.publicTitle)
            hash.combine(UInt64(command.recordedModifiers.rawValue) | UInt64(command.recordedAttributes.rawValue) << 32)
        }
        if let known = known(hash.final) { return known }
        let definitions = commands.prefix(TraceLimits.listCommands).map { CommandDefinition($0) }
        return remember(hash.final) { NameTable.shared.list(hash.final) { definitions } }
    }

    /// A command on its own: a list of one.
    func command(_ command: some RecordedCommand) -> UInt32 { list(CollectionOfOne(command)) }

    @inline(__always) func known(_ hash: UInt64) -> UInt32? {
        let version = NameTable.shared.version.load(ordering: .acquiring)
        return version == pointee.names.version ? pointee.names.number(of: hash) : nil
    }

    /// The version is read before the number: an object that gets its name in between is looked up once more, instead
    /// of being known by its old number for good.
    @inline(never) func remember(_ hash: UInt64, _ find: () -> UInt32) -> UInt32 {
        let version = NameTable.shared.version.load(ordering: .acquiring)
        let number = find()
        if version != pointee.names.version {
            pointee.names.removeAll()
            pointee.names.version = version
        }
        if number != NameTable.unnamed { pointee.names.insert(hash, number) }
        return number
    }
}

extension CommandDefinition {
    init(_ command: some RecordedCommand) {
        self.init(
            input: command.recordedInput, modifiers: command.recordedModifiers, action: command.recordedAction,
            title: command.publicTitle, attributes: command.recordedAttributes)
    }
}
