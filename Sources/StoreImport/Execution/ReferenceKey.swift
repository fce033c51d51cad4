import SQLiteAccess

/// The key by which a record names another object: its values, and the bytes by which it is compared.
struct ReferenceKey {
    let values: [SQLiteValue]
    let bytes: [UInt8]

    /// nil if one of the values is NULL: that names nothing.
    init?(_ values: [SQLiteValue]) {
        var bytes: [UInt8] = []
        for value in values {
            guard KeyBytes.append(value, to: &bytes) else { return nil }
        }
        self.values = values
        self.bytes = bytes
    }

    /// The values for a message, cut.
    var shown: String { values.map(\.shown).joined(separator: ", ") }
}
