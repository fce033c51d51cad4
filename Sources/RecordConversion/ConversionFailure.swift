/// Why a value is not what its attribute needs, and at which of its bytes.
public struct ConversionFailure: Error, Hashable, Sendable {
    /// The kinds of failures.
    public enum Reason: UInt8, Hashable, Sendable {
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
        /// The value of an expression that cannot be computed.
        case notComputable
        /// A value of which no value transformer makes the bytes of a transformable attribute.
        case notArchivable
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
}
