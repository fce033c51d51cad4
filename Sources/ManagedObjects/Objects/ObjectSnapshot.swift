public import ManagedObjectModels
public import PersistentStores

/// The values of an object at one moment, which can be passed to other tasks.
public struct ObjectSnapshot: Sendable, Hashable {
    /// The object's ID, by which another context finds it.
    public let objectID: ManagedObjectID
    /// The values of attributes by name, without those that have none.
    public let attributes: [String: AttributeValue]
    /// The IDs of to-one relationships' destinations by name, without relationships that have none.
    public let toOne: [String: ManagedObjectID]
    /// The IDs of the destinations of the requested to-many relationships, in order.
    public let toMany: [String: [ManagedObjectID]]

    /// The value of an attribute; nil if it has no value, or one of another type.
    public subscript<Value: AttributeRepresentable>(key: AttributeKey<Value>) -> Value? {
        attributes[key.name].flatMap { Value($0) }
    }
}

extension ManagedObject {
    /// Returns the values of the object, and the IDs of the destinations of its relationships.
    ///
    /// - Parameter relationships: the to-many relationships to include.
    /// - Throws: `ManagedObjectError` for an unknown relationship, or an object that no longer exists; `StoreError` if
    ///   the store cannot be read.
    public final func snapshot(including relationships: [String] = []) throws -> ObjectSnapshot {
        let context = try requiredContext()
        var attributes: [String: AttributeValue] = [:]
        for (slot, attribute) in shape.attributes.enumerated() {
            if let value = try currentValue(slot) { attributes[attribute.attribute.name] = value }
        }
        var toOne: [String: ManagedObjectID] = [:]
        for (slot, relationship) in shape.toOnes.enumerated() where !relationship.isOwner {
            if let key = try toOneKey(slot) { toOne[relationship.relationship.name] = context.object(key).objectID }
        }
        var toMany: [String: [ManagedObjectID]] = [:]
        for name in relationships {
            toMany[name] = try context.links(of: self, toManySlot(name)).map { context.object($0).objectID }
        }
        return ObjectSnapshot(objectID: objectID, attributes: attributes, toOne: toOne, toMany: toMany)
    }
}
