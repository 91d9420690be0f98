// What Utilities/Foundation.swift of swift-argument-parser does with Foundation, without it: Scripts/install compiles this
// file in its place.

extension Error {
  func describe() -> String { String(describing: self) }
}

/// The same bytes as Foundation's encoder writes, indented and with sorted keys, for the description of a command: texts,
/// flags, numbers, enumerations, structures, arrays and dictionaries of texts.
enum JSONEncoder {
  static func encode<T: Encodable>(_ value: T) -> String { json(value, "\n") }

  private static func json(_ value: Any, _ line: String) -> String {
    if let text = value as? String { return quoted(text) }
    if value is Bool || value is Int { return "\(value)" }
    if let raw = value as? any RawRepresentable { return json(raw.rawValue, line) }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .collection { return list("[", mirror.children.map { json($0.value, line + "  ") }, "]", line) }
    var members = mirror.children.map { (name: $0.label ?? "", value: $0.value) }
    if let texts = value as? [String: String] { members = texts.map { (name: $0.key, value: $0.value) } }
    // A case without values is an empty object.
    if mirror.displayStyle == .enum, members.isEmpty { members = [(name: "\(value)", value: ())] }
    let written = members.sorted { $0.name < $1.name }.compactMap { member in
      present(member.value).map { quoted(member.name) + " : " + json($0, line + "  ") }
    }
    return list("{", written, "}", line)
  }

  /// The value of an optional; others are themselves.
  private static func present(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional ? mirror.children.first?.value : value
  }

  private static func list(_ begin: String, _ elements: [String], _ end: String, _ line: String) -> String {
    begin + (elements.isEmpty ? "\n" : line + "  ") + elements.joined(separator: "," + line + "  ") + line + end
  }

  private static func quoted(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\", "/": json += "\\\(scalar)"
      case "\n": json += "\\n"
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }
}
