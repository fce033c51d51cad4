/// Why a value is not what its attribute needs, and at which of its bytes.
public struct ConversionFailure: Error, Equatable, Sendable {
    /// The kinds of failures.
    public enum Reason: UInt8, Equatable, Sendable {
        /// Not a whole number.
        case notAnInteger
        /// A number above what the attribute's type holds.
        case numberTooLarge
        /// A number below what the attribute's type holds.
        case numberTooSmall
        /// A number with a fraction, for an integer attribute.
        case hasFraction
        /// Not a decimal number.
        case notADecimal
        /// More digits than a decimal attribute holds.
        case tooManyDigits
        /// More digits than a store keeps, in a key: other keys would be the same there.
        case inexactKey
        /// Not a number.
        case notANumber
        /// Not one of the words for yes and no.
        case notABoolean
        /// Not a date in the form that was named.
        case notADate
        /// In the right form, but no day or time that exists.
        case noSuchDate
        /// Not a UUID.
        case notAUUID
        /// Not a URI.
        case notAURI
        /// Not base 64.
        case notBase64
        /// Not hexadecimal digits.
        case notHexadecimal
        /// Bytes that are not text.
        case notText
        /// An object, array or element where a single value is needed.
        case notASingleValue
        /// A path that leads out of the folder of binary data.
        case unsafePath
        /// A file that the value names and that cannot be read, or is not a regular file.
        case unreadableFile
        /// A file that the value names and that is larger than is read.
        case fileTooLarge
    }

    /// What is wrong with the value.
    public var reason: Reason
    /// The offset in the value, in bytes.
    public var offset: Int

    /// Makes a failure at a byte of the value.
    @inline(__always)
    public init(_ reason: Reason, at offset: Int = 0) {
        self.reason = reason
        self.offset = offset
    }

    /// Core Data's number for it: 1610 and 1620 out of range, 1650 no date, 1690 no URI, else 1550.
    public var code: Int {
        switch reason {
        case .numberTooLarge: 1610
        case .numberTooSmall: 1620
        case .notADate, .noSuchDate: 1650
        case .notAURI: 1690
        default: 1550
        }
    }

    /// What is wrong, without the value and without what was expected.
    public var sentence: String {
        switch reason {
        case .notAnInteger: "not an integer"
        case .numberTooLarge: "the number is too large"
        case .numberTooSmall: "the number is too small"
        case .hasFraction: "the number has a fraction, which an integer cannot hold"
        case .notADecimal: "not a decimal number"
        case .tooManyDigits: "more digits than a decimal holds"
        case .inexactKey: "more digits than a store keeps, so that other keys would be the same there"
        case .notANumber: "not a number"
        case .notABoolean: "neither a word for yes nor one for no"
        case .notADate: "not a date in the expected format"
        case .noSuchDate: "there is no such day or time"
        case .notAUUID: "not a UUID"
        case .notAURI: "not a valid URI; percent-encode what is not allowed in one"
        case .notBase64: "not base64"
        case .notHexadecimal: "not hexadecimal"
        case .notText: "bytes that are not text"
        case .notASingleValue: "an object or list where a single value is expected"
        case .unsafePath: "the path does not stay in the folder of the data"
        case .unreadableFile: "the file cannot be read"
        case .fileTooLarge: "the file is too large"
        }
    }
}
