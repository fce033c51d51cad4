/// Looks for the changes of declarations that give an entity a hash: what differs in a store that does not say it.
public struct DeclarationSearch: Sendable {
    /// How many properties may be hashed for one store, so that large models take no longer than a moment.
    public static let standardEffort = 3_000_000

    private let effort: Int

    /// Makes a search with an effort that is shared by the entities.
    /// - Parameters:
    ///   - entities: how many entities are looked at; they share the effort.
    ///   - effort: how many properties may be hashed in all.
    public init(entities: Int = 1, effort: Int = standardEffort) {
        self.effort = effort / max(1, entities)
    }

    /// Says what the entity with the hash has otherwise, as in "name is optional" or "name is optional, age is
    /// required, and does not have notes"; nil if no combination that was tried gives it.
    ///
    /// One change of each kind is tried, then two and three together; of properties that are not there, optional or
    /// required, and of uniqueness, any number.
    ///
    /// - Parameters:
    ///   - name: the name of the entity.
    ///   - model: the model as it is.
    ///   - hash: the 32 bytes of the entity's hash.
    public func change(of name: String, in model: ManagedObjectModel, giving hash: [UInt8]) -> String? {
        guard let hash = VersionHash(bytes: hash), let entity = model.entity(named: name) else { return nil }
        let part = ModelHashes.part(of: model, with: name)
        guard let parts = (try? ResolvedModel(part)).flatMap({ EntityHasher.parts(of: name, in: $0) }) else {
            return nil
        }
        let effects = DeclarationChange.changes(of: entity).compactMap {
            DeclarationEffect($0, of: entity, parts, in: part)
        }
        var trials = DeclarationTrials(parts, effects, giving: hash, effort: effort)
        return trials.combination().map { Self.sentence($0.map(\.change.sentence)) }
    }

    private static func sentence(_ changes: [String]) -> String {
        guard changes.count > 1, let last = changes.last else { return changes.first ?? "" }
        return changes.dropLast().joined(separator: ", ") + ", and " + last
    }
}
