/// What has given an object other values than those that it was given.
public struct SnapshotEvents: OptionSet, Sendable, Hashable {
    /// The bits of the events.
    public let rawValue: Int

    /// Makes a set of events of its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// That it was made was undone, or redone that it was deleted: it is deleted.
    public static let undoInsertion = SnapshotEvents(rawValue: 1)
    /// That it was deleted was undone, or redone that it was made: it is there.
    public static let undoDeletion = SnapshotEvents(rawValue: 2)
    /// Changes of its values were undone or redone.
    public static let undoUpdate = SnapshotEvents(rawValue: 4)
    /// Its changes were dropped by a rollback.
    public static let rollback = SnapshotEvents(rawValue: 8)
    /// It was refreshed with its changes merged.
    public static let refresh = SnapshotEvents(rawValue: 16)
    /// A save has taken values of the store for it, as the merge policy says.
    public static let mergePolicy = SnapshotEvents(rawValue: 32)
}
