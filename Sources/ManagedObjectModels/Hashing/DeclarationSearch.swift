/// Looks for the changes of declarations that give an entity a hash: what differs in a store that does not say it.
public struct DeclarationSearch: Sendable {
    /// How many properties may be hashed, so that large models take no longer than a moment.
    public static let standardEffort = 200_000

    private var effort: Int

    public init(effort: Int = standardEffort) {
        self.effort = effort
    }

    /// Says what the entity with the hash has otherwise, as in "name is optional" or "name is optional, and age is
    /// required"; nil if no change of one or two properties gives it.
    ///
    /// - Parameter hash: the 32 bytes of the entity's hash.
    public mutating func change(of name: String, in model: ManagedObjectModel, giving hash: [UInt8]) -> String? {
        guard let hash = VersionHash(bytes: hash), let entity = model.entity(named: name) else { return nil }
        let part = ModelHashes.part(of: model, with: name)
        guard let place = part.entities.firstIndex(where: { $0.name == name }) else { return nil }
        let cost = part.entities.reduce(1) { $0 + $1.attributes.count + $1.relationships.count }
        let changes = DeclarationChange.changes(of: entity)
        /// nil when the effort is spent.
        func gives(_ changes: DeclarationChange...) -> Bool? {
            effort -= cost
            guard effort >= 0 else { return nil }
            var other = part
            for change in changes { change.apply(&other.entities[place]) }
            return ModelHashes.hash(of: name, in: other) == hash
        }
        for change in changes {
            guard let isMeant = gives(change) else { return nil }
            if isMeant { return change.sentence }
        }
        for (index, first) in changes.enumerated() {
            for second in changes[(index + 1)...] where second.property != first.property {
                guard let isMeant = gives(first, second) else { return nil }
                if isMeant { return "\(first.sentence), and \(second.sentence)" }
            }
        }
        return nil
    }
}
