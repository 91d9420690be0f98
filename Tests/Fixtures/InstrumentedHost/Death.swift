import FlightRecorder
import Libc

/// A process that ends inside of a press, with its recording in memory that it shares with the one that started it.
enum Death {
    static func run(_ how: String) throws {
        guard let name = getenv("KEYFLIGHT_MEMORY").map({ String(cString: $0) }),
            let memory = SharedMemory(named: name), memory.attach()
        else { fail("KEYFLIGHT_MEMORY: expected memory that this process can share") }
        let flight = try Keyflight.start(RecorderOptions(.memoryRing(RingBounds()), level: .calls))
        let none = RecordedResponder(number: 0)
        let tabs = RecordedResponder(id: "tabs", kind: "TabBar")
        Keyflight.key(.keyboard(0xE3), .down)
        Keyflight.key(.keyboard(0x1A), .down)
        // What a process does that is forked from it is none of its recording.
        if how == "forks", fork() == 0 {
            Keyflight.mark("of the other process")
            _exit(0)
        }
        "closeTab:".withCString { action in
            Keyflight.endKey(
                .performed, .mainMenu, cAction: action, supplier: none, target: tabs, start: tabs, keyWindow: none,
                state: 0, isPending: true)
        }
        switch how {
        case "aborts": abort()
        case "exits": _exit(3)
        case "killed": kill(getpid(), SIGKILL)
        case "faults": UnsafeMutablePointer<UInt8>(bitPattern: 8)!.pointee = 1
        default: break
        }
        Keyflight.key(.keyboard(0x1A), .up)
        try flight.stop()
    }
}
