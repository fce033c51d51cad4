import ManagedObjectModels
import PersistentStores
import PredicateExpressions

/// Resolves the names in a predicate over the objects of an entity; a slot is the index of a property's name in a list.
struct ObjectNames: NameResolver {
    let model: ResolvedModel
    /// The entity of the evaluated object.
    let entity: Int

    /// The entity of `$FETCH_SOURCE`; nil if there is no such object.
    let source: Int?

    private let objectIDs: StoreObjectIDs

    /// The properties that slots refer to; the first one is the object itself.
    private(set) var names = [ObjectSlot(name: "")]

    /// - Parameter objectIDs: finds the objects whose URIs are in the predicate.
    init(model: ResolvedModel, objectIDs: StoreObjectIDs, entity: Int, source: Int? = nil) {
        self.model = model
        self.objectIDs = objectIDs
        self.entity = entity
        self.source = source
    }

    mutating func slot(of path: ArraySlice<String>, from start: NameStart) throws -> ResolvedName? {
        switch start {
        case .variable(FetchSource.variable):
            guard let source else { throw FetchError(.variableMissing(FetchSource.variable, template: nil)) }
            guard let first = path.first else { return ResolvedName(slot: slot("", isOfSource: true), keyCount: 0) }
            try check(Array(path), of: source)
            return ResolvedName(slot: slot(first, isOfSource: true))
        case .variable(let name): throw FetchError(.variableMissing(name, template: nil))
        case .evaluatedObject:
            guard let first = path.first else { return ResolvedName(slot: 0, keyCount: 0) }
            try check(Array(path))
            return ResolvedName(slot: slot(first))
        case .object:
            // The objects are not known before the rows are read: only the existence of such a property can be checked.
            guard let key = path.first, model.hasProperty(named: key) else { return nil }
            return ResolvedName(slot: slot(key))
        }
    }

    func object(at uri: String) -> Result<ObjectReference, EvaluationFault> { objectIDs.object(at: uri) }

    private mutating func slot(_ name: String, isOfSource: Bool = false) -> Int {
        let slot = ObjectSlot(name: name, isOfSource: isOfSource, isToMany: model.isToManyEverywhere(name))
        if let known = names.firstIndex(of: slot) { return known }
        names.append(slot)
        return names.count - 1
    }

    /// Checks a path against the model, up to the first attribute, whose values have keys of their own.
    func check(_ path: [String], of start: Int? = nil) throws(FetchError) {
        var current = model.entities[start ?? entity]
        for key in path {
            if let attribute = current.attribute(named: key) {
                guard !attribute.description.isTransient else { throw transient(path, key, current) }
                guard attribute.type != .composite else {
                    throw FetchError(
                        .propertyUnavailable(
                            path.joined(separator: "."), reason: "\(key) is a composite: name one of its elements")
                    )
                }
                return
            }
            guard let relationship = current.relationship(named: key) else {
                throw FetchError(.keyPathUnknown(path.joined(separator: "."), key: key, entity: current.name))
            }
            guard relationship.isStored else { throw transient(path, key, current) }
            current = model.entities[relationship.destination]
        }
    }

    private func transient(_ path: [String], _ key: String, _ entity: ResolvedEntity) -> FetchError {
        FetchError(.transient(path.joined(separator: "."), key: key, entity: entity.name))
    }
}

/// A property of the evaluated object, or of the object with the fetched property; an empty name for the object itself.
struct ObjectSlot: Sendable, Hashable {
    let name: String
    var isOfSource = false
    /// Whether it is a to-many relationship in every entity that has it.
    var isToMany = false
}
