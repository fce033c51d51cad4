/// How the values of a column are written where there is a choice.
public struct ValueStyle: Sendable, Hashable {
    /// How dates are written; each way says of a date that it cannot write exactly.
    public enum Dates: String, Sendable, Hashable, CaseIterable {
        /// `2024-02-29T10:00:00.25Z`, with as many digits as the exact value needs.
        case iso8601
        /// Core Data's own number.
        case seconds2001
        case seconds1970
    }

    public enum Binary: String, Sendable, Hashable, CaseIterable {
        case base64
        case hexadecimal = "hex"
    }

    public var dates = Dates.iso8601
    public var binary = Binary.base64
    /// The words for yes and no.
    public var yes = "1"
    public var no = "0"
    public var decimalSeparator = UInt8(ascii: ".")
    /// In lists of JSON and XML: the key or `@attribute` under which each element has its value; nil for the value itself.
    public var elementKey: String?

    public init(dates: Dates = .iso8601) {
        self.dates = dates
    }
}
