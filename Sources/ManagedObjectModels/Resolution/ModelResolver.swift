/// Turns the names of a model into slots, as a step of `ResolvedModel.init`.
struct ModelResolver {
    private let model: ManagedObjectModel
    private var ordered: [EntityDescription] = []
    private var superentities: [Int?] = []
    private var subtreeEnds: [Int] = []
    private(set) var slots: [String: Int] = [:]

    /// The number of properties of all entities, with inherited ones counted for every subentity; a small file can ask
    /// for billions.
    private var propertyCount = 0
    private static let maximumPropertyCount = 1_000_000

    /// The maximum number of entities: stores number them from 1 on, and Core Data's own from 16 001 on
    /// (docs/format/sqlite-store.md#entity-numbers).
    private static let maximumEntityCount = 16_000

    init(_ model: ManagedObjectModel) throws(ModelError) {
        self.model = model
        var children: [String: [EntityDescription]] = [:]
        var known: Set<String> = []
        for entity in model.entities {
            guard known.insert(entity.name).inserted else {
                throw ModelError(.duplicateEntity, entity: entity.name)
            }
            try Self.checkNames(of: entity)
        }
        var roots: [EntityDescription] = []
        for entity in model.entities {
            guard let parent = entity.superentityName else {
                roots.append(entity)
                continue
            }
            guard known.contains(parent) else {
                throw ModelError(.unknownSuperentity(parent), entity: entity.name)
            }
            children[parent, default: []].append(entity)
        }
        // An explicit stack, because the depth of the hierarchy depends on the input.
        var stack: [(entity: EntityDescription, superentity: Int?)] = []
        for root in Self.siblings(roots).reversed() {
            stack.append((root, nil))
        }
        while let (entity, superentity) = stack.popLast() {
            let slot = ordered.count
            slots[entity.name] = slot
            ordered.append(entity)
            superentities.append(superentity)
            for child in Self.siblings(children[entity.name] ?? []).reversed() {
                stack.append((child, slot))
            }
        }
        if ordered.count < model.entities.count {
            let stranded = model.entities.first { slots[$0.name] == nil }
            throw ModelError(.inheritanceCycle, entity: stranded?.name)
        }
        guard ordered.count <= Self.maximumEntityCount else {
            throw ModelError(.tooManyEntities(limit: Self.maximumEntityCount))
        }
        subtreeEnds = Array(ordered.indices.map { $0 + 1 })
        for slot in ordered.indices.reversed() {
            if let superentity = superentities[slot] {
                subtreeEnds[superentity] = max(subtreeEnds[superentity], subtreeEnds[slot])
            }
        }
    }

    /// Checks that no two properties have the same name, which not every form of a model rules out.
    private static func checkNames(of entity: EntityDescription) throws(ModelError) {
        var names: Set<String> = []
        let properties =
            entity.attributes.map(\.name) + entity.relationships.map(\.name)
            + entity.fetchedProperties.map(\.name)
        for name in properties where !names.insert(name).inserted {
            throw ModelError(.duplicateProperty, entity: entity.name, property: name)
        }
    }

    mutating func resolvedEntities() throws(ModelError) -> [ResolvedEntity] {
        var attributes: [[ResolvedAttribute]] = []
        var relationships: [[ResolvedRelationship]] = []
        var result: [ResolvedEntity] = []
        for slot in ordered.indices {
            let superentity = superentities[slot]
            try count(superentity.map { attributes[$0].count + relationships[$0].count } ?? 0, of: slot)
            let inherited = superentity.map { attributes[$0] } ?? []
            let inheritedRelationships = superentity.map { relationships[$0] } ?? []
            // An inherited property takes precedence over a redeclaration in a subentity: they share the column.
            let inheritedNames = Set(inherited.map(\.outermostName) + inheritedRelationships.map(\.name))
            attributes.append(
                inherited + (try declaredAttributes(of: slot)).filter { !inheritedNames.contains($0.outermostName) })
            relationships.append(
                inheritedRelationships
                    + (try declaredRelationships(of: slot)).filter { !inheritedNames.contains($0.name) })
            attributes[slot].sort { Self.precedes($0.name, $1.name) }
            relationships[slot].sort { Self.precedes($0.name, $1.name) }
            result.append(
                ResolvedEntity(
                    description: ordered[slot], slot: slot, superentity: superentity,
                    root: superentity.map { result[$0].root } ?? slot, subtree: slot..<subtreeEnds[slot],
                    attributes: attributes[slot], relationships: relationships[slot]))
        }
        return result
    }

    private mutating func count(_ properties: Int, of slot: Int) throws(ModelError) {
        propertyCount += properties
        guard propertyCount <= Self.maximumPropertyCount else {
            throw ModelError(.tooManyProperties(limit: Self.maximumPropertyCount), entity: ordered[slot].name)
        }
    }

    private mutating func declaredAttributes(of slot: Int) throws(ModelError) -> [ResolvedAttribute] {
        var result: [ResolvedAttribute] = []
        let entity = ordered[slot]
        for attribute in entity.attributes {
            var elementIndex = 0
            try append(
                attribute, path: attribute.name, outermost: attribute.name, elementIndex: &elementIndex, depth: 0,
                of: slot, to: &result)
        }
        return result
    }

    /// Appends an attribute, or the elements of a composite. Composites may be nested; 8 levels are more than any model
    /// has, and end a cycle.
    private mutating func append(
        _ attribute: AttributeDescription, path: String, outermost: String, elementIndex: inout Int, depth: Int,
        of slot: Int, to result: inout [ResolvedAttribute]
    ) throws(ModelError) {
        try count(1, of: slot)
        result.append(
            ResolvedAttribute(
                description: attribute, name: path, owner: slot, outermostName: outermost, elementIndex: elementIndex))
        guard attribute.type == .composite else { return }
        guard let composite = model.composites.first(where: { $0.name == attribute.compositeName }), depth < 8 else {
            throw ModelError(
                .unknownComposite(attribute.compositeName ?? ""), entity: ordered[slot].name, property: path)
        }
        for element in composite.elements {
            elementIndex += 1
            try append(
                element, path: path + "." + element.name, outermost: outermost, elementIndex: &elementIndex,
                depth: depth + 1, of: slot, to: &result)
        }
    }

    private mutating func declaredRelationships(of slot: Int) throws(ModelError) -> [ResolvedRelationship] {
        var result: [ResolvedRelationship] = []
        try count(ordered[slot].relationships.count, of: slot)
        for relationship in ordered[slot].relationships {
            guard let destination = slots[relationship.destinationEntityName] else {
                throw ModelError(
                    .unknownDestination(relationship.destinationEntityName), entity: ordered[slot].name,
                    property: relationship.name)
            }
            result.append(
                ResolvedRelationship(
                    description: relationship, owner: slot, destination: destination,
                    inverse: relationship.inverseName.flatMap { inverse(named: $0, from: destination) }))
        }
        return result
    }

    /// Returns the inverse. The destination may inherit it, so the topmost declaration is used.
    private func inverse(named name: String, from destination: Int) -> ResolvedRelationship.Inverse? {
        var found: ResolvedRelationship.Inverse?
        var next: Int? = destination
        while let slot = next {
            if let relationship = ordered[slot].relationships.first(where: { $0.name == name }) {
                found = ResolvedRelationship.Inverse(
                    owner: slot, name: name, isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
                    isTransient: relationship.isTransient)
            }
            next = superentities[slot]
        }
        return found
    }

    /// Returns whether a property name sorts before another: Core Data compares them by code point.
    static func precedes(_ left: String, _ right: String) -> Bool {
        left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    }

    /// Returns entities with the same superentity in Core Data's order, which ignores case
    /// (docs/format/sqlite-store.md#entity-numbers).
    private static func siblings(_ entities: [EntityDescription]) -> [EntityDescription] {
        entities.map { (entity: $0, name: EntityNameOrder($0.name)) }.sorted { $0.name < $1.name }.map(\.entity)
    }
}
