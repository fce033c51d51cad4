/// An object of a binary property list: small values as they are, the rest as places in the bytes.
public enum BinaryObject: Hashable, Sendable {
    /// The null object, which marks what is absent.
    case null
    /// A truth value.
    case boolean(Bool)
    /// A whole number in the range of `Int64`.
    case integer(Int64)
    /// A whole number of 128 bits that `Int64` does not hold.
    indirect case wideInteger(Int128)
    /// A number of 64 bits with a binary exponent.
    case real(Double)
    /// A number of 32 bits with a binary exponent.
    case single(Float)
    /// A moment, in seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// Byte offsets of the content.
    case data(Range<Int>)
    /// Byte offsets of ASCII text.
    case asciiText(Range<Int>)
    /// Byte offsets of big-endian UTF-16.
    case utf16Text(Range<Int>)
    /// A reference into the object table of a keyed archive.
    case uid(UInt64)
    /// The elements of an array, in their order.
    case array(ObjectReferences)
    /// The elements of a set, in stored order.
    case set(ObjectReferences)
    /// The keys and values of a dictionary, in stored order; as many keys as values.
    case dictionary(keys: ObjectReferences, values: ObjectReferences)
}

/// A run of object references inside a binary property list.
public struct ObjectReferences: Hashable, Sendable {
    /// The byte offset of the first reference.
    let offset: Int
    /// How many references there are.
    public let count: Int
}
