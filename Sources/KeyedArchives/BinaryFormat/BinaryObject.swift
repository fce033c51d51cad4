/// An object of a binary property list: small values as they are, the rest as places in the bytes.
public enum BinaryObject: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    indirect case wideInteger(Int128)
    case real(Double)
    case single(Float)
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// Byte offsets of the content.
    case data(Range<Int>)
    /// Byte offsets of ASCII text.
    case asciiText(Range<Int>)
    /// Byte offsets of big-endian UTF-16.
    case utf16Text(Range<Int>)
    case uid(UInt64)
    case array(ObjectReferences)
    case set(ObjectReferences)
    case dictionary(keys: ObjectReferences, values: ObjectReferences)
}

/// A run of object references inside a binary property list.
public struct ObjectReferences: Hashable, Sendable {
    /// The byte offset of the first reference.
    let offset: Int
    public let count: Int
}
