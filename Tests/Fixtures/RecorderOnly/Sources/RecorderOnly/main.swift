import KeyflightRecorder

let flight = try Keyflight.start(RecorderOptions(.memoryRing(.minutes(5))))
Keyflight.key(.escape, .down)
Keyflight.measure(.action) { print("handled") }
Keyflight.key(.escape, .up)
let trace = try Recording.read(flight.snapshot()).recording
try flight.stop()
print(trace.records.contains { $0.body.kind == .stage } ? "recorded" : "nothing recorded")
