/// The bits of `NSFlagsKey`.
enum AttributeFlags {
    static let externalStorage: Int64 = 4
    static let preservation: Int64 = 16
}

/// The bits of `NSFetchRequestFlags`.
enum FetchRequestFlags {
    /// Include subentities, property values and pending changes; return faults; do not remove duplicates. The meanings
    /// of the single bits are unknown, since all known archives have the same value.
    static let standard: Int64 = 30
}

/// The bits of `_P`, a summary of a property for quick tests.
enum PropertyFlags {
    static let always: Int64 = 0x1
    static let optional: Int64 = 0x2
    static let readOnly: Int64 = 0x4
    static let transient: Int64 = 0x8
    static let noValidation: Int64 = 0x10
    static let noWarnings: Int64 = 0x20
    static let noUserInfo: Int64 = 0x40
    static let noModifier: Int64 = 0x80
    static let ordered: Int64 = 0x400
    static let cloudEncryption: Int64 = 0x800
}
