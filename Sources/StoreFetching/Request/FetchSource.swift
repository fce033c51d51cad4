public import ManagedObjectModels
public import PredicateExpressions

/// The objects whose fetched property is fetched for each of them.
public struct FetchSource: Sendable, Hashable {
    /// The variable for the object that has the property, in predicates.
    public static let variable = "FETCH_SOURCE"

    /// The name of the entity that has the property.
    public let entityName: String
    /// The fetched property, with its request.
    public let property: FetchedPropertyDescription
    /// The predicate that selects the objects of the entity; nil for all.
    public var predicate: Predicate?

    /// Makes a source from objects and their fetched property.
    public init(entityName: String, property: FetchedPropertyDescription, predicate: Predicate? = nil) {
        self.entityName = entityName
        self.property = property
        self.predicate = predicate
    }
}

extension FetchRequest {
    /// Makes the request of a fetched property, for each of the objects that have it.
    /// - Throws: `FetchError` if the entity has no such property, and `FormatError` for a predicate that cannot be
    ///   parsed.
    public init(
        fetchedProperty name: String, of entityName: String, in model: ResolvedModel, where source: Predicate? = nil
    ) throws {
        guard let entity = model.entity(named: entityName) else {
            throw FetchError(.entityUnknown(entityName, known: model.entities.map(\.name)))
        }
        let properties = entity.fetchedProperties(in: model)
        guard let property = properties.first(where: { $0.name == name }) else {
            throw FetchError(.fetchedPropertyUnknown(name, entity: entityName, known: properties.map(\.name)))
        }
        try self.init(of: property)
        fetchSource = FetchSource(entityName: entityName, property: property, predicate: source)
    }

    /// Makes the request of a fetched property, for one object.
    package init(of property: FetchedPropertyDescription) throws {
        let template = property.fetchRequest
        self.init(entityName: template.entityName, predicate: try property.predicate())
        sortDescriptors = template.sortDescriptors
        fetchLimit = template.fetchLimit
        fetchOffset = template.fetchOffset
        includesSubentities = template.includesSubentities
    }
}

extension ResolvedEntity {
    /// Returns the declared and inherited fetched properties of the entity.
    func fetchedProperties(in model: ResolvedModel) -> [FetchedPropertyDescription] {
        var properties: [FetchedPropertyDescription] = []
        var slot: Int? = self.slot
        while let current = slot {
            for property in model.entities[current].description.fetchedProperties
            where !properties.contains(where: { $0.name == property.name }) {
                properties.append(property)
            }
            slot = model.entities[current].superentity
        }
        return properties
    }
}

extension FetchedPropertyDescription {
    /// Returns the predicate, with values substituted for `$FETCHED_PROPERTY`.
    func predicate() throws -> Predicate? {
        try fetchRequest.predicateFormat.map { text in
            try Predicate(format: text).replacing { expression, _ in
                guard case .keyPath(.variable("FETCHED_PROPERTY"), let path) = expression else { return nil }
                if path == "name" { return .constant(.string(name)) }
                guard path.hasPrefix("userInfo.") else { return nil }
                let key = String(path.dropFirst("userInfo.".count))
                return .constant(userInfo[key].map { .string($0) } ?? .null)
            }
        }
    }
}
