/// The style of a column's values, where there is a choice.
public struct ValueStyle: Sendable, Hashable {
    /// The format of dates; a date that it cannot represent exactly is an error.
    public enum Dates: String, Sendable, Hashable, CaseIterable {
        /// `2024-02-29T10:00:00.25Z`, with as many digits as the exact value needs.
        case iso8601
        /// Core Data's own number, in seconds since 2001-01-01T00:00:00Z.
        case seconds2001
        /// Seconds since 1970-01-01T00:00:00Z.
        case seconds1970
    }

    /// The format of binary data.
    public enum Binary: String, Sendable, Hashable, CaseIterable {
        /// Base 64 of RFC 4648, with padding.
        case base64
        /// Two hexadecimal digits for each byte.
        case hexadecimal = "hex"
    }

    /// The format of dates.
    public var dates = Dates.iso8601
    /// The format of binary data.
    public var binary = Binary.base64
    /// The word for true.
    public var yes = "1"
    /// The word for false.
    public var no = "0"
    /// The byte between the integer and fractional parts of a number.
    public var decimalSeparator = UInt8(ascii: ".")
    /// For lists in JSON and XML: the key or `@attribute` that contains each element's value; nil for the value itself.
    public var elementKey: String?

    /// Makes a style with a date format, and defaults for everything else.
    public init(dates: Dates = .iso8601) {
        self.dates = dates
    }
}
