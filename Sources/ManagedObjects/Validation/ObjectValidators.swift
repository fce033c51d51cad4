public import ManagedObjectModels

/// The rules of a program for values of attributes, beside those of the model.
public struct ObjectValidators: Sendable {
    /// Throws if the object must not have the value; may put another value in its place.
    public typealias Rule = @Sendable (_ value: inout AttributeValue?, _ object: ManagedObject) throws -> Void

    private var rules: [String: [String: [Rule]]] = [:]

    /// Makes a list without rules.
    public init() {}

    /// Returns the list with a rule added, for an attribute of an entity and its subentities. It sees nil too.
    public func validating(_ entityName: String, _ key: String, _ rule: @escaping Rule) -> ObjectValidators {
        var result = self
        result.rules[entityName, default: [:]][key, default: []].append(rule)
        return result
    }

    /// The rules of an entity by the name of the attribute, those of its superentities first.
    func rules(for entity: ResolvedEntity, in model: ResolvedModel) -> [String: [Rule]] {
        let inherited = entity.superentity.map { rules(for: model.entities[$0], in: model) } ?? [:]
        return inherited.merging(rules[entity.name] ?? [:]) { $0 + $1 }
    }
}
