public import PersistentStores

/// Objects that a save would give equal values under a uniqueness constraint.
public struct ConstraintConflict: Sendable, Hashable {
    public let entityName: String

    /// The names of the properties that must not be equal.
    public let constraint: [String]

    /// The values that are equal.
    public let constraintValues: MergeConflict.Values

    /// The object that the store has with these values; nil if only objects of the save have them.
    public let databaseObject: ManagedObjectID?

    /// What the store has of that object.
    public let databaseSnapshot: MergeConflict.Values?

    /// The objects of the save, new ones first.
    public let conflictingObjects: [ManagedObjectID]

    /// What the save would write of them.
    public let conflictingValues: [MergeConflict.Values]
}

/// Objects that would have equal values under uniqueness constraints: nothing was written.
public struct ConstraintConflictError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Cocoa's error number (docs/format/errors.md).
    public static let number = 133021

    public let conflictList: [ConstraintConflict]

    public var description: String {
        let parts = conflictList.prefix(5).map { conflict in
            let objects = [conflict.databaseObject].compactMap { $0 } + conflict.conflictingObjects
            return "\(conflict.entityName) (\(conflict.constraint.joined(separator: ", "))): "
                + objects.map(\.uri).joined(separator: ", ")
        }
        let more = conflictList.count > 5 ? "; and \(conflictList.count - 5) more" : ""
        return
            "several objects have the same values under a uniqueness constraint (error \(Self.number)): "
            + parts.joined(separator: "; ") + more + "; change them, or choose another merge policy"
    }
}
