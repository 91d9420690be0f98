import KeyModel
struct CommandLocalisation {
    init(table: String, layout: Layout) {}
    static func parse(_ text: String) -> [String]? { [] }
}
enum TargetSearchState { case none, asking, reachedDefault }
enum TargetSearch { static func defaultTarget(of r: Responder, action: Selector, sender: Any?) -> Responder? { nil } }
extension KeyboardEngine: ResponderTreeObserver {
    func structureChanged() {}
    func keyCommandsChanged(of responder: Responder) {}
    func firstResponderChanged(from old: Responder?, to new: Responder?) {}
    func report(_ effect: Effect) {}
    func leftWindow(_ responder: Responder) {}
    func menuNeedsRebuild() {}
    func menuNeedsRevalidate() {}
    func profileChanged() {}
    func layoutChanged() {}
    func dropCaches() {}
    func cancelHeldKeys(at time: TraceTime) -> [Release] { [] }
}
