import KeyedArchives
import TextEncodings

extension AttributeValue {
    /// The value as source models write it; dates as seconds since 2001, and an array's elements in brackets.
    public var text: String {
        switch self {
        case .real(let number) where !number.isFinite, .date(let number) where !number.isFinite: "\(number)"
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
        default: contentsText ?? contentsInterval ?? ""
        }
    }

    /// The text of the value in a source model; nil for dates, which are written as intervals, and for values that it
    /// cannot represent: numbers that are not finite, empty data, and arrays.
    var contentsText: String? {
        switch self {
        case .integer(let number): String(number)
        case .decimal(let text), .string(let text), .uri(let text), .unparsed(let text): text
        case .real(let number): number.isFinite ? "\(number)" : nil
        case .boolean(let flag): flag ? "YES" : "NO"
        case .date, .array: nil
        case .binary(let bytes): bytes.isEmpty ? nil : Base64.encode(bytes)
        case .uuid(let bytes): UUIDText.text(bytes)
        }
    }

    /// The text of a date in a source model: seconds since 2001, without a fraction if it is zero.
    var contentsInterval: String? {
        guard case .date(let seconds) = self, seconds.isFinite else { return nil }
        return Int64(exactly: seconds).map { String($0) } ?? "\(seconds)"
    }
}
