/// An object of a binary property list: small values directly, others as ranges of the bytes.
public enum BinaryObject: Hashable, Sendable {
    /// The null object, which represents a missing value.
    case null
    /// A Boolean.
    case boolean(Bool)
    /// An integer in the range of `Int64`.
    case integer(Int64)
    /// An integer of 128 bits outside the range of `Int64`.
    indirect case wideInteger(Int128)
    /// A floating-point number of 64 bits.
    case real(Double)
    /// A floating-point number of 32 bits.
    case single(Float)
    /// A point in time, in seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// Data, as a range of byte offsets.
    case data(Range<Int>)
    /// ASCII text, as a range of byte offsets.
    case asciiText(Range<Int>)
    /// Big-endian UTF-16 text, as a range of byte offsets.
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
    /// The number of references.
    public let count: Int
}
