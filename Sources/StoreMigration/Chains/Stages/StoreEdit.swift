import ManagedObjectModels
public import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// A change to the objects of one version, before or behind a step of a chain.
public struct StoreEdit: Sendable {
    enum Work: Sendable {
        /// Attributes of the objects of an entity, and of its subentities, that satisfy a predicate.
        case update(entity: String, filter: String?, values: [(attribute: String, expression: String)])
        case delete(entity: String, filter: String?, links: LinkRemoval)
        case code(@Sendable (SQLiteStore) throws -> Void)
    }

    let work: Work

    /// What the edit does, in words.
    public let text: String

    /// Sets attributes of objects to the values of expressions over them.
    ///
    /// - Parameter filter: a predicate; nil for all objects.
    public static func update(
        _ entity: String, where filter: String? = nil, set values: [(attribute: String, expression: String)]
    ) -> Self {
        let sets = values.map { "\($0.attribute) = \($0.expression)" }.joined(separator: ", ")
        return Self(
            work: .update(entity: entity, filter: filter, values: values),
            text: "update \(entity)" + (filter.map { " where \($0)" } ?? "") + ", set \(sets)")
    }

    /// Removes objects, and what their delete rules take along.
    ///
    /// - Parameter links: which links to these objects are removed.
    public static func delete(
        _ entity: String, where filter: String? = nil, links: LinkRemoval = .byDeleteRules
    ) -> Self {
        Self(
            work: .delete(entity: entity, filter: filter, links: links),
            text: "delete \(entity)" + (filter.map { " where \($0)" } ?? "") + (links == .all ? ", unlink" : ""))
    }

    /// Runs code of the caller over the store, inside a transaction that holds all edits.
    ///
    /// - Parameter name: what the plan calls it; another name is another edit for a run that goes on with an earlier
    ///   one.
    public static func code(_ name: String, _ body: @escaping @Sendable (SQLiteStore) throws -> Void) -> Self {
        Self(work: .code(body), text: name)
    }
}

/// Why an edit cannot be run.
public struct StoreEditError: Error, Equatable, Sendable, CustomStringConvertible {
    public let edit: String
    public let reason: String

    public var description: String { "\(edit): \(reason)" }
}
