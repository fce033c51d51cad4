import SQLiteAccess

/// The key by which a record names another object: its values, and the bytes by which it is compared.
struct ReferenceKey {
    let values: [SQLiteValue]
    let bytes: [UInt8]

    /// Creates a key; nil if one of the values is NULL, since such a key names no object.
    init?(_ values: [SQLiteValue]) {
        var bytes: [UInt8] = []
        for value in values {
            guard KeyBytes.append(value, to: &bytes) else { return nil }
        }
        self.values = values
        self.bytes = bytes
    }

    /// The values for a message, shortened.
    var shown: String { values.map(\.shown).joined(separator: ", ") }
}
