public import ManagedObjectModels

/// The rules of a program for attributes and objects, in addition to those of the model.
public struct ObjectValidators: Sendable {
    /// Throws if the object must not have the value; may replace the value.
    public typealias Rule = @Sendable (_ value: inout AttributeValue?, _ object: ManagedObject) throws -> Void

    /// Throws if the object must not be saved as it is.
    public typealias ObjectRule = @Sendable (_ object: ManagedObject) throws -> Void

    /// The operation of a save on an object.
    public enum Change: Sendable, Hashable {
        /// The object is new.
        case insert
        /// The object has changed.
        case update
        /// The object is to be deleted.
        case delete
    }

    private var rules: [String: [String: [Rule]]] = [:]
    private var objectRules: [String: [(changes: Set<Change>, rule: ObjectRule)]] = [:]

    /// Makes a list without rules.
    public init() {}

    /// Returns the list with a rule added, for an attribute of an entity and its subentities. It is also called for
    /// nil.
    public func validating(_ entityName: String, _ key: String, _ rule: @escaping Rule) -> ObjectValidators {
        var result = self
        result.rules[entityName, default: [:]][key, default: []].append(rule)
        return result
    }

    /// Returns the list with a rule added, for objects of an entity and its subentities as a whole. It is like
    /// `validateForInsert`, `validateForUpdate` and `validateForDelete`, but without a class.
    ///
    /// - Parameters:
    ///   - entityName: the name of the entity.
    ///   - changes: the operations for which the rule is called.
    ///   - rule: called after the rules for values, and before the methods of the object's class.
    public func validating(
        _ entityName: String, on changes: Set<Change> = [.insert, .update], _ rule: @escaping ObjectRule
    ) -> ObjectValidators {
        var result = self
        result.objectRules[entityName, default: []].append((changes, rule))
        return result
    }

    /// Returns the rules of an entity for objects as a whole, those of its superentities first.
    func objectRules(for entity: ResolvedEntity, in model: ResolvedModel) -> [(changes: Set<Change>, rule: ObjectRule)]
    {
        let inherited = entity.superentity.map { objectRules(for: model.entities[$0], in: model) } ?? []
        return inherited + (objectRules[entity.name] ?? [])
    }

    /// Returns the rules of an entity by the name of the attribute, those of its superentities first.
    func rules(for entity: ResolvedEntity, in model: ResolvedModel) -> [String: [Rule]] {
        let inherited = entity.superentity.map { rules(for: model.entities[$0], in: model) } ?? [:]
        return inherited.merging(rules[entity.name] ?? [:]) { $0 + $1 }
    }
}
