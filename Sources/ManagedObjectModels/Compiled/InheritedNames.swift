/// The names of the properties that entities inherit. A property that a subentity declares again is the inherited one:
/// both share a column, and a compiled model cannot contain both.
struct InheritedNames {
    private let entities: [String: EntityDescription]

    /// The maximum length of a chain of superentities; a longer one is a cycle, which resolving a model refuses.
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
    /// Removes the properties with these names; returns those that existed.
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
