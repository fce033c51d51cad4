public import ManagedObjectModels
public import PersistentStores

/// An object that was changed both here and in the store.
public struct MergeConflict: Sendable, Hashable {
    /// The values of an object: attributes by name, without NULL, and the IDs of to-one relationships' destinations.
    public struct Values: Sendable, Hashable {
        /// The values of attributes by name, without those that have none.
        public var attributes: [String: AttributeValue] = [:]
        /// The IDs of to-one relationships' destinations by name, without relationships that have none.
        public var objects: [String: ManagedObjectID] = [:]

        /// Makes values; properties that are not given have none.
        public init(attributes: [String: AttributeValue] = [:], objects: [String: ManagedObjectID] = [:]) {
            self.attributes = attributes
            self.objects = objects
        }
    }

    /// The ID of the object.
    public let objectID: ManagedObjectID

    /// The version of the object when it was read; 0 if it did not exist.
    public let oldVersion: Int64
    /// The current version of the object; 0 if it does not exist.
    public let newVersion: Int64

    /// What the save would write; nil if the object is to be deleted.
    public let objectValues: Values?

    /// The values with which the object was read.
    public let snapshot: Values

    /// The values in the store; nil if the object was deleted there.
    public let storeValues: Values?

    /// The properties whose values in the store differ from those that were read.
    public var changedKeys: [String] {
        guard let storeValues else { return [] }
        let names = Set(snapshot.attributes.keys).union(storeValues.attributes.keys)
            .filter { snapshot.attributes[$0] != storeValues.attributes[$0] }
        let links = Set(snapshot.objects.keys).union(storeValues.objects.keys)
            .filter { snapshot.objects[$0] != storeValues.objects[$0] }
        return (names.union(links)).sorted()
    }
}

/// A save failed because it would overwrite changes of others; nothing was written.
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
