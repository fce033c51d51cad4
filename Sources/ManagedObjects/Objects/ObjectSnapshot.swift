public import ManagedObjectModels
public import PersistentStores

/// What an object is at a moment: values that may go to other tasks.
public struct ObjectSnapshot: Sendable, Hashable {
    /// The object's ID, by which another context finds it.
    public let objectID: ManagedObjectID
    /// The values of attributes by name; those without a value are left out.
    public let attributes: [String: AttributeValue]
    /// The IDs of to-one relationships by name; those that lead nowhere are left out.
    public let toOne: [String: ManagedObjectID]
    /// The IDs of those to-many relationships that were asked for, in order.
    public let toMany: [String: [ManagedObjectID]]

    /// The value of an attribute; nil if it has no value, or one of another type.
    public subscript<Value: AttributeRepresentable>(key: AttributeKey<Value>) -> Value? {
        attributes[key.name].flatMap { Value($0) }
    }
}

extension ManagedObject {
    /// The values of the object, and the IDs of what it leads to.
    ///
    /// - Parameter relationships: the to-many relationships that are wanted.
    /// - Throws: `ManagedObjectError` for a relationship that is not there, or an object that is gone; `StoreError` if
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
