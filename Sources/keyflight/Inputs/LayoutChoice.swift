import KeyLayout
import KeyModel

/// Layouts as the command line names them.
enum LayoutChoice {
    static func named(_ name: String) throws -> Layout {
        do {
            return try Layout.named(name)
        } catch {
            throw Failure(.unknownLayout, "\(error)")
        }
    }
}
