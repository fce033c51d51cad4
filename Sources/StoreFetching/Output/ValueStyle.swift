/// How the values of a column are written where there is a choice.
public struct ValueStyle: Sendable, Hashable {
    /// How dates are written; each way says of a date that it cannot write exactly.
    public enum Dates: String, Sendable, Hashable, CaseIterable {
        /// `2024-02-29T10:00:00.25Z`, with as many digits as the exact value needs.
        case iso8601
        /// Core Data's own number.
        case seconds2001
        /// Seconds since 1970-01-01T00:00:00Z.
        case seconds1970
    }

    /// How binary data are written.
    public enum Binary: String, Sendable, Hashable, CaseIterable {
        /// Base 64 of RFC 4648, with padding.
        case base64
        /// Two hexadecimal digits for each byte.
        case hexadecimal = "hex"
    }

    /// How dates are written.
    public var dates = Dates.iso8601
    /// How binary data are written.
    public var binary = Binary.base64
    /// The words for yes and no.
    public var yes = "1"
    /// The word for no.
    public var no = "0"
    /// The byte between a number's whole part and its fraction.
    public var decimalSeparator = UInt8(ascii: ".")
    /// In lists of JSON and XML: the key or `@attribute` under which each element has its value; nil for the value
    /// itself.
    public var elementKey: String?

    /// Makes a style with dates in a form, and all else as usual.
    public init(dates: Dates = .iso8601) {
        self.dates = dates
    }
}
