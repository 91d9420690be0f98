import KeyModel

/// A page around markup from elsewhere, in the style of `ReportPage`: without script, and with a policy under which it
/// loads nothing from anywhere.
package enum StaticPage {
    /// The page, in UTF-8.
    ///
    /// - Parameters:
    ///   - title: Of the window, which is escaped.
    ///   - body: Markup, which is taken as it is.
    package static func bytes(title: String, body: String) -> [UInt8] {
        let style = PageParts.style
        let policy =
            "default-src 'none'; style-src 'sha256-\(Base64.text(SHA256.hash(style)))'; base-uri 'none'; "
            + "form-action 'none'"
        let head = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(Markup.html(title))</title>
            <style>
            """
        return Array(head.utf8) + style + Array("</style>\n</head>\n<body>\n\(body)</body>\n</html>\n".utf8)
    }
}
