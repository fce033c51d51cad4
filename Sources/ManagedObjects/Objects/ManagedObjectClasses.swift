import ManagedObjectModels

/// The Swift classes of entities. An entity without one uses that of its superentity, otherwise `ManagedObject`.
public struct ManagedObjectClasses: Sendable {
    private var classes: [String: ManagedObject.Type] = [:]

    /// Makes a list without classes.
    public init() {}

    /// Returns the list with a class added for an entity.
    public func registering(_ type: ManagedObject.Type, for entityName: String) -> ManagedObjectClasses {
        var result = self
        result.classes[entityName] = type
        return result
    }

    /// Returns the class of each entity, by its slot.
    func types(in model: ObjectModel) -> [ManagedObject.Type] {
        var types: [ManagedObject.Type] = []
        for entity in model.resolved.entities {
            // Superentities have lower slots.
            types.append(classes[entity.name] ?? entity.superentity.map { types[$0] } ?? ManagedObject.self)
        }
        return types
    }

    /// Returns the entity that a class was registered for.
    func entityName(of type: ManagedObject.Type) -> String? {
        classes.first { $0.value == type }?.key
    }
}
