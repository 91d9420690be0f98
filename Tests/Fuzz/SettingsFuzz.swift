// seeds: Traces/settings
// longest: 70000
// sources: Sources/keyflight/Settings
import KeyModel

/// A settings file: read or refused with a place, and read again the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    do {
        let text = try SettingsText(input, file: "fuzz.toml")
        for entry in text.entries {
            guard entry.place.line > 0, entry.place.column > 0 else { fatalError("an entry without a place") }
        }
        guard try SettingsText(input, file: "fuzz.toml").entries == text.entries else { fatalError("another result") }
    } catch let error as SettingsError {
        guard error.place != nil || count > SettingsText.longest else { fatalError("an error without a place") }
        guard !error.description.utf8.contains(0x0A) || input.contains(0x0A) else { fatalError("more than a line") }
    } catch {
        fatalError("another error: \(error)")
    }
    var settings = Settings()
    try? settings.read(input, file: "fuzz.toml", folder: "..")
    for setting in Setting.allCases { _ = settings[setting].value?.words }
    return 0
}
