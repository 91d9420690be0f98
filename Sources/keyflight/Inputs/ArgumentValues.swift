public import ArgumentParser
public import FlightIntake
public import KeyModel
public import ResponderEngine
public import TraceFormat

// Values of other modules, as they are written on the command line.

extension CachePolicy: ExpressibleByArgument {}

extension DeviceSelector: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension RecordKind: ExpressibleByArgument {
    public init?(argument: String) {
        guard let kind = RecordKind(name: argument), !kind.isContextOnly else { return nil }
        self = kind
    }

    public static var allValueStrings: [String] { allCases.filter { !$0.isContextOnly }.map(\.name) }
}

extension TraceDuration: ExpressibleByArgument {
    public init?(argument: String) { self.init(text: argument) }
}
