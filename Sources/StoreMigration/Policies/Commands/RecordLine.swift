import Foundation
import ManagedObjectModels

/// Writes JSON lines for a policy's program.
struct RecordLine {
    private(set) var bytes: [UInt8] = []

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: raw("\\n")
            case 0x09: raw("\\t")
            case 0x0D: raw("\\r")
            case 0..<0x20, 0x7F:
                raw("\\u00")
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func integer(_ number: Int64) { bytes += Array("\(number)".utf8) }

    mutating func value(_ value: AttributeValue?) {
        switch value {
        case nil: raw("null")
        case .integer(let number): integer(number)
        case .boolean(let flag): flag ? raw("true") : raw("false")
        case .real(let number), .date(let number):
            // JSON has no numbers for these.
            if number.isFinite { bytes += Array("\(number)".utf8) } else { string("\(number)") }
        case .decimal(let text), .string(let text), .uri(let text), .unparsed(let text): string(text)
        case .uuid(let uuid): string(Self.text(ofUUID: uuid))
        case .binary(let data): string(Data(data).base64EncodedString())
        }
    }

    /// Members, each with a comma before it but the first.
    mutating func members<T>(_ items: [T], _ body: (inout RecordLine, T) throws -> Void) rethrows {
        raw("{")
        for (index, item) in items.enumerated() {
            if index > 0 { raw(",") }
            try body(&self, item)
        }
        raw("}")
    }

    mutating func key(_ name: String) {
        string(name)
        raw(":")
    }

    static func text(ofUUID bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
