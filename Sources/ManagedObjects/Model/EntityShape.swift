import ManagedObjectModels
import PersistentStores

/// An entity with its properties in slots: the structure of its objects.
final class EntityShape: Sendable {
    struct Attribute: Sendable {
        let attribute: ResolvedAttribute
        /// The position in a row; nil for an attribute that is not stored.
        let position: Int?
        let form: StoredForm
        /// Whether its values may be in files beside the store.
        var isExternal: Bool { form.isExternal }
    }

    /// A to-one relationship, or the link of an object to its owner in a to-many relationship without an inverse.
    struct ToOne: Sendable {
        let relationship: ResolvedRelationship
        /// Whether this is the link to the owner in a to-many relationship without an inverse, which is not a property
        /// of the object.
        let isOwner: Bool
        /// The destination entity.
        let destination: Int
        let position: Int?
        let inverse: Inverse
    }

    struct ToMany: Sendable {
        let relationship: ResolvedRelationship
        let inverse: Inverse
        var isOrdered: Bool { relationship.isOrdered }
    }

    /// How to find the other end of a link in the shape of the object there.
    enum Inverse: Sendable {
        case none
        case property(String)
        /// The owner of a to-many relationship without an inverse.
        case owner(PropertyKey)
    }

    let entity: ResolvedEntity
    let table: TableShape
    /// The index of its root entity among all root entities.
    let rootNumber: Int
    let attributes: [Attribute]
    let toOnes: [ToOne]
    let toManys: [ToMany]
    let fetched: [FetchedPropertyDescription]
    let constraints: [UniquenessConstraint]
    private let slots: [String: PropertySlot]
    private let owners: [PropertyKey: Int]

    var name: String { entity.name }

    init(_ entity: ResolvedEntity, table: TableShape, rootNumber: Int, in model: ResolvedModel) {
        self.entity = entity
        self.table = table
        self.rootNumber = rootNumber
        attributes = entity.attributes.filter { $0.type != .composite }.map { attribute in
            Attribute(
                attribute: attribute, position: table.positions[.attribute(attribute.key)],
                form: StoredForm(
                    type: attribute.type, isExternal: attribute.description.hasExternalData))
        }
        var toOnes = entity.relationships.filter { !$0.isToMany }.map { relationship in
            ToOne(
                relationship: relationship, isOwner: false, destination: relationship.destination,
                position: table.positions[.toOne(relationship.key)],
                inverse: relationship.inverse.map { .property($0.name) } ?? .none)
        }
        var owners: [PropertyKey: Int] = [:]
        for relationship in Self.unidirectional(to: entity, in: model) {
            owners[relationship.key] = toOnes.count
            toOnes.append(
                ToOne(
                    relationship: relationship, isOwner: true, destination: relationship.owner,
                    position: table.positions[.owner(relationship.key)], inverse: .property(relationship.name)))
        }
        self.toOnes = toOnes
        self.owners = owners
        toManys = entity.relationships.filter(\.isToMany).map { relationship in
            ToMany(
                relationship: relationship,
                inverse: relationship.inverse.map { .property($0.name) } ?? .owner(relationship.key))
        }
        var fetched: [FetchedPropertyDescription] = []
        var slot: Int? = entity.slot
        while let current = slot {
            fetched += model.entities[current].description.fetchedProperties
            slot = model.entities[current].superentity
        }
        self.fetched = fetched
        var slots: [String: PropertySlot] = [:]
        for (index, property) in fetched.enumerated() where slots[property.name] == nil {
            slots[property.name] = .fetched(index)
        }
        for (index, attribute) in attributes.enumerated() { slots[attribute.attribute.name] = .attribute(index) }
        for (index, toOne) in toOnes.enumerated() where !toOne.isOwner {
            slots[toOne.relationship.name] = .toOne(index)
        }
        for (index, toMany) in toManys.enumerated() { slots[toMany.relationship.name] = .toMany(index) }
        self.slots = slots
        let (attributes, ones) = (attributes, toOnes)
        constraints = Self.constraints(of: entity, in: model) { name in
            switch slots[name] {
            case .attribute(let slot):
                let attribute = attributes[slot]
                let isWritten = attribute.position != nil && !attribute.isExternal && !attribute.attribute.isDerived
                return isWritten ? .attribute(slot) : nil
            case .toOne(let slot): return ones[slot].position == nil ? nil : .toOne(slot)
            case .toMany, .fetched, nil: return nil
            }
        }
    }

    /// Returns the to-many relationships without an inverse that may lead to objects of an entity.
    static func unidirectional(to entity: ResolvedEntity, in model: ResolvedModel) -> [ResolvedRelationship] {
        model.entities.flatMap { owner in
            owner.declaredRelationships.filter {
                $0.storage == .unidirectional && model.isKind(entity.slot, of: $0.destination)
            }
        }
    }

    func slot(named name: String) -> PropertySlot? { slots[name] }

    /// Returns the slot of the link to the owner in a to-many relationship without an inverse.
    func slot(ofOwner key: PropertyKey) -> Int? { owners[key] }

    /// Returns the slot of the other end of a link.
    func slot(of inverse: Inverse) -> PropertySlot? {
        switch inverse {
        case .none: nil
        case .property(let name): slots[name]
        case .owner(let key): owners[key].map { .toOne($0) }
        }
    }
}
