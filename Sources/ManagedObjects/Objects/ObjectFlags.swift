/// The state of an object.
struct ObjectFlags: OptionSet, Sendable {
    let rawValue: UInt8

    /// It is registered in the context by its key.
    static let registered = ObjectFlags(rawValue: 1)
    /// Its values are loaded; otherwise it is a fault.
    static let realized = ObjectFlags(rawValue: 2)
    static let inserted = ObjectFlags(rawValue: 4)
    static let updated = ObjectFlags(rawValue: 8)
    static let deleted = ObjectFlags(rawValue: 16)
    /// The store no longer has it.
    static let gone = ObjectFlags(rawValue: 32)
    /// Delete rules have been applied for its deletion.
    static let propagated = ObjectFlags(rawValue: 64)
    /// It was deleted elsewhere, and the next save will write it again.
    static let restored = ObjectFlags(rawValue: 128)
}
