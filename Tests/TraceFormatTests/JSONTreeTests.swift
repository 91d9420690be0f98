import Foundation
import Testing

@testable import TraceFormat

/// What is read, what is refused and what it is are those of Foundation's decoder.
@Suite struct JSONTreeTests {
    static let sample = #"""
         { "a":[0 ,-12,3.50,12e2,1E-3,9223372036854775807],"é\u00e9\ud83d\ude00\"\/\n":"⌘",
        "a":null,"t":true , "f":false,"n":null,"e":{},"l":[ ], "z":[[{"y":""}]]}
        """#

    /// Foundation's, as a text.
    private struct Reference: Decodable {
        var text: String

        init(from decoder: any Decoder) throws {
            if let members = try? decoder.container(keyedBy: Name.self) {
                let pairs = try members.allKeys.map { ($0.stringValue, try members.decode(Reference.self, forKey: $0)) }
                text = JSONTreeTests.object(pairs.map { ($0, $1.text) })
                return
            }
            if var elements = try? decoder.unkeyedContainer() {
                var texts: [String] = []
                while !elements.isAtEnd { texts.append(try elements.decode(Reference.self).text) }
                text = "[" + texts.joined(separator: ",") + "]"
                return
            }
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                text = "null"
            } else if let flag = try? value.decode(Bool.self) {
                text = "\(flag)"
            } else if let number = try? value.decode(Double.self) {
                text = "\(number) \((try? value.decode(Int64.self)).map(String.init) ?? "-")"
            } else {
                text = try value.decode(String.self).debugDescription
            }
        }
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static func text(_ json: JSONTree) throws -> String {
        switch json {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number: "\(try Double(json: json)) \((try? Int64(json: json)).map(String.init) ?? "-")"
        case .text(let text): text.debugDescription
        case .array(let elements): "[" + (try elements.map(text)).joined(separator: ",") + "]"
        case .object(let members): object(try members.map { ($0, try text($1)) })
        }
    }

    private static func object(_ members: [(name: String, text: String)]) -> String {
        "{" + members.map { "\($0.name.debugDescription):\($0.text)" }.sorted().joined(separator: ",") + "}"
    }

    private static func expectSame(_ json: [UInt8]) {
        let expected = (try? JSONDecoder().decode(Reference.self, from: Data(json)))?.text
        let found = try? text(JSONTree(json))
        #expect(found == expected, "\(String(decoding: json.prefix(300), as: UTF8.self))")
    }

    @Test func everyPrefixAndEveryFlippedBit() {
        let sample = Array(Self.sample.utf8)
        for count in 0...sample.count { Self.expectSame(Array(sample.prefix(count))) }
        for place in sample.indices {
            for bit in 0..<8 {
                var json = sample
                json[place] ^= 1 << bit
                Self.expectSame(json)
            }
        }
    }

    @Test(arguments: [
        "", " ", "01", "-", "-0", "1.", ".5", "1e", "1e+", "1e400", "-1E5", "2.0", "9223372036854775808", "nul",
        "nulll", "truefalse", "[,1]", "{,}", "{\"a\"}", "{a:1}", "{1:1}", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
        "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\\u0000\"", "\"\t\"", "\"", "[1 2]", "1 2", "\u{A0}1", "\u{B}1", "NaN",
        "{\"a\":1,\"a\":2}", "[\"\u{FEFF}\"]", "//\n1",
    ])
    func edges(_ json: String) { Self.expectSame(Array(json.utf8)) }

    /// Foundation accepts a comma at the end, and refuses 0e2. RFC 8259 has it the other way round.
    @Test func theStandardDecides() throws {
        for json in ["[1,]", "{\"a\":1,}"] { #expect(throws: TraceError.self) { try JSONTree(Array(json.utf8)) } }
        #expect(try Self.text(JSONTree(Array("0e2".utf8))) == "0.0 0")
    }

    @Test func levelsAreLimited() {
        for count in 510...515 {
            for (open, shut) in [("[", "]"), ("{\"a\":", "}")] {
                let levels = { (text: String) in String(repeating: text, count: count) }
                Self.expectSame(Array((levels(open) + "1" + levels(shut)).utf8))
            }
        }
        #expect(throws: TraceError.self) { try JSONTree(Array(repeating: UInt8(ascii: "["), count: 10_000_000)) }
    }

    @Test func typesAndPlacesOfErrors() throws {
        let json = try JSONTree(Array("{\"a\":[1,2.5],\"b\":{\"c\":\"d\"},\"n\":null}".utf8))
        #expect(try json.member("a") as [Double] == [1, 2.5] && json.member("b") as [String: String] == ["c": "d"])
        #expect(try json.member("n") as String? == nil && json.member("none") as Bool? == nil)
        for read in [
            { _ = try json.member("a") as [Int64] }, { _ = try json.member("a") as String },
            { _ = try json.member("none") as String }, { _ = try json.member("b") as [String: Int64]? },
        ] {
            #expect(throws: TraceError.self, performing: read)
        }
        let error = #expect(throws: TraceError.self) { try JSONTree(Array("{\"a\": [1, ]}".utf8)) }
        #expect(error?.column == 11 && error?.reason == "syntax: expected a value of JSON, found `]}`")
    }
}
