/// btsnoop files.
enum Btsnoop {
    static let magic = Array("btsnoop\0".utf8)

    static func read(_ input: CaptureInput, into traffic: CaptureTraffic) throws(CaptureError) {
        traffic.facts.bluetoothContainer = "btsnoop"
    }
}
