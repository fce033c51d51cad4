public import ManagedObjectModels
public import PersistentStores

/// An object that was changed here, and in the store by somebody else.
public struct MergeConflict: Sendable, Hashable {
    /// The values of an object: attributes by their names, NULL left out, and the IDs of to-one relationships.
    public struct Values: Sendable, Hashable {
        /// The values of attributes by name; those without a value are left out.
        public var attributes: [String: AttributeValue] = [:]
        /// The IDs of to-one relationships by name; those that lead nowhere are left out.
        public var objects: [String: ManagedObjectID] = [:]

        /// Makes values; what is left out is not there.
        public init(attributes: [String: AttributeValue] = [:], objects: [String: ManagedObjectID] = [:]) {
            self.attributes = attributes
            self.objects = objects
        }
    }

    /// The ID of the object that both have changed.
    public let objectID: ManagedObjectID

    /// How often the object had been changed when it was read, and how often by now; 0 for one that is not there.
    public let oldVersion: Int64
    /// How often the object has been changed by now; 0 if it is not there.
    public let newVersion: Int64

    /// What the save would write; nil if the object is to be deleted.
    public let objectValues: Values?

    /// What the object was read as.
    public let snapshot: Values

    /// What the store has; nil if the object was deleted there.
    public let storeValues: Values?

    /// The properties in which the store differs from what was read.
    public var changedKeys: [String] {
        guard let storeValues else { return [] }
        let names = Set(snapshot.attributes.keys).union(storeValues.attributes.keys)
            .filter { snapshot.attributes[$0] != storeValues.attributes[$0] }
        let links = Set(snapshot.objects.keys).union(storeValues.objects.keys)
            .filter { snapshot.objects[$0] != storeValues.objects[$0] }
        return (names.union(links)).sorted()
    }
}

/// Objects that a save would overwrite: nothing was written.
public struct MergeConflictError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Cocoa's error number (docs/format/errors.md).
    public static let number = 133020

    /// The conflicts that the context's merge policy does not resolve.
    public let conflictList: [MergeConflict]

    public var description: String {
        let names = conflictList.prefix(5).map { conflict in
            conflict.objectID.uri
                + (conflict.storeValues == nil
                    ? " (deleted)"
                    : conflict.changedKeys.isEmpty ? "" : " (\(conflict.changedKeys.joined(separator: ", ")))")
        }
        let more = conflictList.count > 5 ? " and \(conflictList.count - 5) more" : ""
        return
            "somebody else has changed \(names.joined(separator: ", "))\(more) (error \(Self.number)); refresh them, "
            + "or choose another merge policy"
    }
}
