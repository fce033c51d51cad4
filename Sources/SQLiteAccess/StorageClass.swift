/// The storage class of a value; the raw values are those of `sqlite3_column_type`.
public enum StorageClass: Int32, Sendable {
    /// A signed integer of up to 64 bits.
    case integer = 1
    /// A floating-point number of 64 bits.
    case real = 2
    /// Text in the encoding of the database.
    case text = 3
    /// Bytes without a text encoding.
    case blob = 4
    /// SQL's NULL.
    case null = 5
}
