import FlightRecorder
import KeyflightUIKit
import Libc

/// An app on the stub of UIKit that records itself as one that links `KeyflightUIKit`: with public hooks alone.
///
///     LinkedReader APP.so TRACE ios15|ios26 SCRIPT
@main struct LinkedReader {
    private typealias Main = @convention(c) (Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32

    @MainActor static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let app = dlopen(arguments[1], RTLD_NOW | RTLD_GLOBAL),
            let entry = dlsym(app, "reader_main")
        else { exit(64) }
        var options = RecorderOptions(.file(arguments[2]))
        options.showsKeys = true
        let flight = try KeyflightUIKit.start(options)
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("reader"), strdup(arguments[3]), strdup(arguments[4]), nil]
        let status = unsafeBitCast(entry, to: Main.self)(3, &words)
        try KeyflightUIKit.stop(flight)
        exit(status)
    }
}
