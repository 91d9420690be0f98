// The product by its name: keys, layouts, responders, scenes, replay.
@_exported public import FlightReplay
@_exported public import KeyLayout
@_exported public import KeyModel
@_exported public import ResponderEngine
@_exported public import ResponderKit
@_exported public import Scenes
