// What a test writes an app's replay with.
@_exported public import FlightReplay
@_exported public import RegressionGate
@_exported public import KeyLayout
@_exported public import KeyModel
@_exported public import ResponderEngine
