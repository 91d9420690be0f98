// The product by its name: the recorder, and the words of keys that it speaks.
@_exported public import FlightRecorder
