/// The reason why a value does not fit its attribute, and the byte at which it does not.
public struct ConversionFailure: Error, Hashable, Sendable {
    /// The kind of failure.
    public enum Reason: UInt8, Hashable, Sendable {
        /// The value is not a whole number.
        case notAnInteger
        /// The number is larger than the attribute's type allows.
        case numberTooLarge
        /// The number is smaller than the attribute's type allows.
        case numberTooSmall
        /// The number has a fraction, but the attribute is an integer.
        case hasFraction
        /// The value is not a decimal number.
        case notADecimal
        /// The number has more digits than a decimal attribute can have.
        case tooManyDigits
        /// A key has more digits than a store keeps, so that different keys would become equal.
        case inexactKey
        /// The value is not a number.
        case notANumber
        /// The value is not one of the words for yes and no.
        case notABoolean
        /// The value is not a date in the specified form.
        case notADate
        /// The value has the right form, but the date or time does not exist.
        case noSuchDate
        /// The value is not a UUID.
        case notAUUID
        /// The value is not a URI.
        case notAURI
        /// The value is not Base64.
        case notBase64
        /// The value is not hexadecimal.
        case notHexadecimal
        /// The bytes are not text.
        case notText
        /// The value is an object, an array or an element, but a single value is required.
        case notASingleValue
        /// The path leads out of the folder of binary data.
        case unsafePath
        /// The file that the value names cannot be read, or is not a regular file.
        case unreadableFile
        /// The file that the value names is too large.
        case fileTooLarge
        /// The value is the result of an expression that cannot be computed.
        case notComputable
        /// No value transformer can convert the value to the bytes of a transformable attribute.
        case notArchivable
    }

    /// The kind of failure.
    public var reason: Reason
    /// The offset in the value, in bytes.
    public var offset: Int

    /// Creates a failure at a byte of the value.
    @inline(__always)
    public init(_ reason: Reason, at offset: Int = 0) {
        self.reason = reason
        self.offset = offset
    }
}
