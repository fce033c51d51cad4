public import PersistentStores

/// Objects to which a save would give equal values under a uniqueness constraint.
public struct ConstraintConflict: Sendable, Hashable {
    /// The entity that declares the constraint.
    public let entityName: String

    /// The names of the properties that must be unique.
    public let constraint: [String]

    /// The equal values.
    public let constraintValues: MergeConflict.Values

    /// The stored object with these values; nil if only objects of the save have them.
    public let databaseObject: ManagedObjectID?

    /// The stored values of that object.
    public let databaseSnapshot: MergeConflict.Values?

    /// The objects of the save, new ones first.
    public let conflictingObjects: [ManagedObjectID]

    /// The values that the save would write for them.
    public let conflictingValues: [MergeConflict.Values]
}

/// A save failed because objects would have equal values under uniqueness constraints; nothing was written.
public struct ConstraintConflictError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Cocoa's error number (docs/format/errors.md).
    public static let number = 133021

    /// The conflicts, those of new objects first.
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
