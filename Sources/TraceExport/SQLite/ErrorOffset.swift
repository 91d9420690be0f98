import CSQLite
import Libc

/// Offset in a statement of SQLite's last error. SQLite reports it from 3.38 on, and older ones are in use: the
/// function is looked up at run time.
enum ErrorOffset {
    private typealias Function = @convention(c) (OpaquePointer?) -> Int32

    private static let function: Function? = {
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "sqlite3_error_offset") else { return nil }
        return unsafeBitCast(symbol, to: Function.self)
    }()

    /// Bytes from the beginning; `nil` where it is not known.
    static func of(_ connection: OpaquePointer) -> Int? {
        guard let function else { return nil }
        let offset = function(connection)
        return offset >= 0 ? Int(offset) : nil
    }
}
