/// Where an object stands in its life.
struct ObjectFlags: OptionSet, Sendable {
    let rawValue: UInt8

    /// The context knows it by its key.
    static let registered = ObjectFlags(rawValue: 1)
    /// Its values are there to be seen; without this it is a fault.
    static let realized = ObjectFlags(rawValue: 2)
    static let inserted = ObjectFlags(rawValue: 4)
    static let updated = ObjectFlags(rawValue: 8)
    static let deleted = ObjectFlags(rawValue: 16)
    /// The store has it no longer.
    static let gone = ObjectFlags(rawValue: 32)
    /// Its deletion has followed the delete rules.
    static let propagated = ObjectFlags(rawValue: 64)
    /// Somebody else has deleted it, and the next save writes it again.
    static let restored = ObjectFlags(rawValue: 128)
}
