/// The reasons why the values of an object have changed without being set.
public struct SnapshotEvents: OptionSet, Sendable, Hashable {
    /// The bits of the events.
    public let rawValue: Int

    /// Makes a set of events from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Its insertion was undone, or its deletion redone: it is deleted.
    public static let undoInsertion = SnapshotEvents(rawValue: 1)
    /// Its deletion was undone, or its insertion redone: it exists again.
    public static let undoDeletion = SnapshotEvents(rawValue: 2)
    /// Changes of its values were undone or redone.
    public static let undoUpdate = SnapshotEvents(rawValue: 4)
    /// Its changes were dropped by a rollback.
    public static let rollback = SnapshotEvents(rawValue: 8)
    /// It was refreshed with its changes merged.
    public static let refresh = SnapshotEvents(rawValue: 16)
    /// A save has given it values of the store, as the merge policy demands.
    public static let mergePolicy = SnapshotEvents(rawValue: 32)
}
