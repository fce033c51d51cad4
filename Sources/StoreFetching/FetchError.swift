/// An error of a fetch request.
public struct FetchError: Error, Sendable, Hashable {
    /// The kinds of errors.
    public enum Code: Sendable, Hashable {
        /// The model has no entity with this name; with the names of its entities.
        case entityUnknown(String, known: [String])
        /// The store lacks the entity's table.
        case tableMissing(entity: String)
        /// A key of a key path is not a property of the entity at that point of the path.
        case keyPathUnknown(String, key: String, entity: String)
        /// A key of a key path is a transient property, which is never stored.
        case transient(String, key: String, entity: String)
        /// The property has no column in this store, or its column cannot be used.
        case propertyUnavailable(String, reason: String)
        /// A sort key leads to several objects, which have no order.
        case toManySortKey(String)
        /// A sort key of distinct or grouped results is not among the fetched properties.
        case sortKeyNotFetched(String, known: [String])
        /// The sort descriptor's method is unknown; with the known ones.
        case sortSelectorUnsupported(String, known: [String])
        /// The sort descriptor's method is for strings, and the key is not a string.
        case sortSelectorForText(String, keyPath: String)
        /// An expression of a grouped request has no single value for a group, for this reason.
        case notAggregated(String, reason: String)
        /// A property of a grouped request has several values for one object.
        case groupedList(String)
        /// A property of a grouped request is neither a grouping key nor an aggregate.
        case groupedOther(String)
        /// A key path for prefetching is not a relationship.
        case prefetchNoRelationship(String)
        /// The model has no fetch request template with this name; with the names of its templates.
        case templateUnknown(String, known: [String])
        /// The entity has no fetched property with this name; with the names of its fetched properties.
        case fetchedPropertyUnknown(String, entity: String, known: [String])
        /// A variable of the predicate has no value; with the name of the template, if the predicate is from one.
        case variableMissing(String, template: String?)
        /// A value is given for an unknown variable of the template; with the names of its variables.
        case variableUnknown(String, template: String, known: [String])
        /// A text is not the URI of an object in the store, for this reason.
        case objectIDInvalid(String)
        /// The store lacks the objects with these URIs.
        case objectsMissing([String])
        /// The URIs are of objects of several entities, and the request does not name an entity.
        case objectsOfSeveralEntities([String])
        /// An object has another entity than the requested one.
        case objectsOfOtherEntity(String, asked: String)
        /// A text that an attribute is compared with cannot be a value of its type.
        case textUnfit(String, keyPath: String, type: String)
        /// A part of the request that cannot be fetched from several stores together.
        case notOverStores(String)
        /// The objects of an entity in a store have other properties than those in the preceding stores.
        case storesDiffer(String, entity: String)
        /// A value that the output format cannot represent.
        case valueNotWritable(column: String, reason: String)
    }

    /// The kind of the error.
    public let code: Code

    /// Makes an error of a kind.
    public init(_ code: Code) {
        self.code = code
    }

    /// The key path that the error is about, so that it can be marked; nil for none.
    public var keyPath: String? {
        switch code {
        case .keyPathUnknown(let path, _, _), .transient(let path, _, _), .propertyUnavailable(let path, _),
            .textUnfit(_, let path, _):
            path
        default: nil
        }
    }
}

extension FetchError: CustomStringConvertible {
    /// A one-sentence description; its wording may change.
    public var description: String {
        switch code {
        case .entityUnknown(let name, let known): "the model has no entity \(name); it has \(Self.list(known))"
        case .tableMissing(let entity): "the store has no table for \(entity); name the model that it was made with"
        case .keyPathUnknown(let path, let key, let entity):
            "keypath \(path) not found in entity \(entity)" + (key == path ? "" : ": there is no \(key)")
                + "; check the name"
        case .transient(let path, let key, let entity):
            "\(path) cannot be used: \(entity).\(key) is transient, and not in the store; use what it is computed from"
        case .propertyUnavailable(let path, let reason): "\(path) cannot be fetched: \(reason)"
        case .toManySortKey(let path):
            "\(path) leads to many objects, and cannot be sorted by; sort by \(path).@count or another operator"
        case .sortKeyNotFetched(let key, let known):
            "the results have no \(key) to sort by; use one of \(Self.list(known))"
        case .sortSelectorUnsupported(let selector, let known):
            "unsupported NSSortDescriptor selector: \(selector); use one of \(Self.list(known))"
        case .sortSelectorForText(let selector, let path):
            "\(selector) compares strings, and \(path) is not a string; leave it out"
        case .notAggregated(let part, let reason): "\(part) cannot be computed for a group: \(reason)"
        case .groupedList(let name):
            "\(name) gives several values for one object, and groups have one; count them, or sum"
        case .groupedOther(let name):
            "\(name) is neither grouped by nor an aggregate; group by it, or take its minimum"
        case .prefetchNoRelationship(let path): "\(path) is not a relationship, and cannot be prefetched"
        case .templateUnknown(let name, let known):
            "the model has no fetch request \(name); it has \(known.isEmpty ? "no fetch requests" : Self.list(known))"
        case .fetchedPropertyUnknown(let name, let entity, let known):
            "\(entity) has no fetched property \(name); it has \(known.isEmpty ? "no fetched properties" : Self.list(known))"
        case .variableMissing(let name, let template):
            "the variable $\(name)\(template.map { " of \($0)" } ?? "") has no value; give it one"
        case .variableUnknown(let name, let template, let known):
            "\(template) has no variable $\(name); it has \(known.isEmpty ? "none" : Self.list(known.map { "$" + $0 }))"
        case .objectIDInvalid(let reason): reason
        case .objectsMissing(let uris):
            "the store has no object \(Self.list(uris)); it may have been deleted (error 133000)"
        case .objectsOfSeveralEntities(let names):
            "the objects are of \(Self.list(names)); fetch those of one entity at a time, or name one that all inherit from"
        case .objectsOfOtherEntity(let name, let asked):
            "\(name) is neither \(asked) nor inherits from it; name an entity that all of the objects are of"
        case .textUnfit(let text, let path, let type):
            "\(path) is compared with the text \"\(text)\", which can be no value of the type \(type); check the attribute"
        case .notOverStores(let part):
            "several stores have no \(part) together; fetch from each store, or make one of them with ferry merge-into"
        case .storesDiffer(let path, let entity):
            "\(entity) has other properties in \(path) than in the stores before it; migrate one of them first"
        case .valueNotWritable(let column, let reason): "\(column): \(reason)"
        }
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(30).joined(separator: ", ")
        return names.count > 30 ? shown + " and \(names.count - 30) more" : shown
    }
}
