/// The names of the properties that entities inherit. One that a subentity declares again is the inherited one: they
/// share a column, and a compiled model has no place for two.
struct InheritedNames {
    private let entities: [String: EntityDescription]

    /// A longer chain of parents is a cycle, which resolving a model refuses.
    private static let maximumInheritance = 1000

    init(_ model: ManagedObjectModel) {
        entities = Dictionary(model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func names(of entity: String) -> Set<String> {
        var names: Set<String> = []
        var next = entities[entity]?.superentityName
        for _ in 0..<Self.maximumInheritance {
            guard let name = next, let parent = entities[name] else { break }
            names.formUnion(parent.attributes.map(\.name))
            names.formUnion(parent.relationships.map(\.name))
            names.formUnion(parent.fetchedProperties.map(\.name))
            next = parent.superentityName
        }
        return names
    }
}

extension EntityDescription {
    /// Removes the properties of these names; returns those that were there.
    @discardableResult
    mutating func removeProperties(named names: Set<String>) -> [String] {
        guard !names.isEmpty else { return [] }
        let own = attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
        let removed = own.filter { names.contains($0) }
        guard !removed.isEmpty else { return [] }
        attributes.removeAll { names.contains($0.name) }
        relationships.removeAll { names.contains($0.name) }
        fetchedProperties.removeAll { names.contains($0.name) }
        return removed
    }
}
