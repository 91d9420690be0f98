import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("Scrolling and zooming by keys")
struct ScrollKeyTests {
    private func scroll(_ width: Int, _ height: Int, viewport: (Int, Int) = (100, 200)) -> KeyboardScrollView {
        let scroll = KeyboardScrollView(id: "scroll")
        scroll.contentSize = Extent(width: width, height: height)
        scroll.viewport = Extent(width: viewport.0, height: viewport.1)
        return scroll
    }

    private func listed(_ view: ScrollView) -> [String] { view.find("\(view.id).scroll")?.listed ?? [] }

    @Test("KK-11 arrows that would move, Space, page keys, zoom and refresh, in this order")
    func order() throws {
        let scroll = scroll(1000, 1000)
        _ = try ComponentBench(view: scroll)
        let pages = ["space", "⇧space", "pageUp", "pageDown", "home", "end"]
        #expect(listed(scroll) == ["↓", "⌥↓", "⌘↓", "→", "⌥→", "⌘→"] + pages)
        scroll.setContentOffset(Extent(width: 900, height: 100))
        #expect(listed(scroll) == ["↑", "⌥↑", "⌘↑", "↓", "⌥↓", "⌘↓", "←", "⌥←", "⌘←"] + pages)
        scroll.zoomLimits = ZoomLimits(minimum: 500, maximum: 2000)
        scroll.refreshAction = "reload:"
        #expect(listed(scroll).suffix(7) == ["⌘=", "⌘-", "⌘_", "⌘+", "⌘\u{2212}", "⌘0", "⌘R"])
        scroll.isScrollEnabled = false
        #expect(listed(scroll).first == "⌘=")
        let commands = scroll.find("scroll.scroll")?.keyCommands ?? []
        #expect(commands.allSatisfy { !$0.wantsPriorityOverSystemBehavior })
        scroll.isScrollEnabled = true
        let arrows = scroll.find("scroll.scroll")?.keyCommands?.prefix(11) ?? []
        #expect(arrows.allSatisfy { $0.wantsPriorityOverSystemBehavior })
        #expect(arrows.prefix(9).allSatisfy { !$0.allowsAutomaticMirroring })
    }

    @Test("KK-11 text keeps arrows and Space, and lists keep them for their selection")
    func whoseArrows() throws {
        let scroll = scroll(100, 1000)
        let field = TextField(id: "field")
        let bench = try ComponentBench(view: scroll)
        scroll.addSubview(field)
        bench.engine.focus(field)
        #expect(listed(scroll) == ["pageUp", "pageDown", "home", "end"])
        let table = KeyboardTableView(id: "table", sections: [100])
        table.viewport = Extent(width: 100, height: 200)
        _ = try ComponentBench(view: table)
        #expect(listed(table) == ["pageUp", "pageDown", "home", "end"])
        table.allowsSelection = false
        #expect(listed(table).first == "↓")
    }

    @Test("KK-12 three lines, a screen less three lines, the end; Space and page keys a screen")
    func steps() throws {
        let scroll = scroll(100, 1000)
        let bench = try ComponentBench(view: scroll)
        func offset(_ key: String) throws -> Int {
            try bench.press(key)
            return scroll.contentOffset.height
        }
        #expect(try offset("down") == 51)
        #expect(try offset("opt+down") == 200)
        #expect(try offset("space") == 400)
        #expect(try offset("pagedown") == 600)
        #expect(try offset("shift+space") == 400)
        #expect(try offset("pageup") == 200)
        #expect(try offset("cmd+down") == 800)
        #expect(try offset("up") == 749)
        #expect(try offset("cmd+up") == 0)
        #expect(try offset("End") == 800)
        #expect(try offset("Home") == 0)
        // A page key that changes nothing is not performable, and blocks.
        #expect(try bench.came("pageup") == "blockedUnperformable")
        scroll.isTracking = true
        #expect(try bench.came("down") == "unhandled")
        scroll.isTracking = false
        scroll.bodyFontSize = 20
        #expect(try offset("down") == 60)
    }

    @Test("KK-12 with paging, from the page that is nearest")
    func paging() throws {
        let scroll = scroll(400, 200)
        scroll.isPagingEnabled = true
        scroll.setContentOffset(Extent(width: 160, height: 0))
        let bench = try ComponentBench(view: scroll)
        try bench.press("right")
        #expect(scroll.contentOffset.width == 300)
        try bench.press("opt+left")
        #expect(scroll.contentOffset.width == 200)
        // Only the width overflows: page keys run along it.
        try bench.press("pagedown")
        #expect(scroll.contentOffset.width == 300)
        try bench.press("Home")
        #expect(scroll.contentOffset.width == 0)
    }

    @Test("KK-12 along a horizontal axis, forward is leftwards in a right-to-left interface")
    func rightToLeft() throws {
        let scroll = scroll(500, 200)
        scroll.setContentOffset(Extent(width: 400, height: 0))
        let bench = try ComponentBench(view: scroll, rightToLeft: true)
        try bench.press("space")
        #expect(scroll.contentOffset.width == 300)
        try bench.press("End")
        #expect(scroll.contentOffset.width == 0)
        try bench.press("right")
        #expect(scroll.contentOffset.width == 51)
    }

    @Test("KK-13 equal steps of about 1.6, never past 1, and none without a range or a pinch")
    func zoom() throws {
        let scroll = scroll(100, 200)
        let bench = try ComponentBench(view: scroll)
        #expect(try bench.came("cmd+=") == "unhandled")
        scroll.zoomLimits = ZoomLimits(minimum: 300, maximum: 4000)
        func path(_ key: String) throws -> [Int] {
            var scales: [Int] = []
            while try bench.came(key).hasPrefix("zoom") { scales.append(scroll.zoomScale) }
            return scales
        }
        #expect(try path("cmd+=") == [1587, 2520, 4000])
        let down = try path("cmd+minus")
        #expect(down == [2520, 1587, 1000, 669, 448, 300])
        #expect(try path("shift+cmd+=").last == 4000)
        #expect(try bench.came("cmd+0") == "zoomToActualSize:")
        #expect(scroll.zoomScale == 1000)
        scroll.setZoomScale(1400)
        try bench.press("shift+cmd+minus")
        #expect(scroll.zoomScale == 1000)
        scroll.isPinchEnabled = false
        #expect(try bench.came("cmd+=") == "unhandled")
        #expect(ZoomLimits(minimum: 2, maximum: 1) == nil)
        scroll.isPinchEnabled = true
        scroll.zoomLimits = ZoomLimits(minimum: 1000, maximum: 1000)
        #expect(try bench.came("cmd+=") == "unhandled")
    }

    @Test("KK-14 a new animation begins before the running one is reported that it ended unfinished")
    func animations() throws {
        final class Logged: KeyboardScrollView {
            var log: [String] = []
            override func willBeginKeyboardScrolling(to offset: Extent) { log.append("begin \(offset.height)") }
            override func didEndKeyboardScrolling(finished: Bool) { log.append("end \(finished)") }
        }
        let scroll = Logged(id: "scroll")
        scroll.contentSize = Extent(width: 100, height: 1000)
        scroll.viewport = Extent(width: 100, height: 200)
        let bench = try ComponentBench(view: scroll)
        try bench.press("down", at: 0)
        try bench.press("down", at: 100)
        try bench.press("down", at: 900)
        // Each begins at the destination of the one before.
        #expect(scroll.log == ["begin 51", "begin 102", "end false", "end true", "begin 153"])
    }

    @Test("⌘R sends the refresh control's action up the chain")
    func refresh() throws {
        final class Reloading: ViewController {
            var reloads = 0
            override class var actions: [Action] {
                super.actions + [Action("reload:", performing: { (it: Reloading, _) in it.reloads += 1 })]
            }
        }
        let scroll = scroll(100, 200)
        let root = Reloading(id: "vc")
        let bench = try ComponentBench(root: root, view: scroll)
        #expect(try bench.came("cmd+r") == "unhandled")
        scroll.refreshAction = "reload:"
        #expect(try bench.came("cmd+r") == "refresh:")
        #expect(root.reloads == 1)
    }
}
