/// Why a fetch request cannot be run: facts.
public struct FetchError: Error, Sendable, Hashable {
    public enum Code: Sendable, Hashable {
        case entityUnknown(String, known: [String])
        /// The entity's table is not in the store.
        case tableMissing(entity: String)
        case keyPathUnknown(String, key: String, entity: String)
        case transient(String, key: String, entity: String)
        /// It has no column in this store, or one that means nothing.
        case propertyUnavailable(String, reason: String)
        case toManySortKey(String)
        case sortKeyNotFetched(String, known: [String])
        case sortSelectorUnsupported(String, known: [String])
        case sortSelectorForText(String, keyPath: String)
        case notAggregated(String, reason: String)
        case groupedList(String)
        case groupedOther(String)
        case prefetchNoRelationship(String)
        case templateUnknown(String, known: [String])
        case fetchedPropertyUnknown(String, entity: String, known: [String])
        case variableMissing(String, template: String?)
        case variableUnknown(String, template: String, known: [String])
        /// A text that is not the URI of an object of the store, with the reason.
        case objectIDInvalid(String)
        case objectsMissing([String])
        case objectsOfSeveralEntities([String])
        case objectsOfOtherEntity(String, asked: String)
        /// A text that an attribute is compared with and that can be no value of its type.
        case textUnfit(String, keyPath: String, type: String)
        /// A value that no text of the format stands for.
        case valueNotWritable(column: String, reason: String)
    }

    public let code: Code

    public init(_ code: Code) {
        self.code = code
    }

    /// The key path that is meant, for a mark under it; nil if the error is about something else.
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
    /// One sentence; its wording may change.
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
        case .valueNotWritable(let column, let reason): "\(column): \(reason)"
        }
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(30).joined(separator: ", ")
        return names.count > 30 ? shown + " and \(names.count - 30) more" : shown
    }
}
