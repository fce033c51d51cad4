/// Searches for the changes to declarations that produce an entity's hash: how the model of a store differs, if the
/// store does not contain it.
public struct DeclarationSearch: Sendable {
    /// The maximum number of properties that are hashed for one store, so that large models take only a moment.
    public static let standardEffort = 3_000_000

    private let effort: Int

    /// Makes a search whose effort is shared among the entities.
    /// - Parameters:
    ///   - entities: the number of entities to search.
    ///   - effort: the maximum number of properties that are hashed in all.
    public init(entities: Int = 1, effort: Int = standardEffort) {
        self.effort = effort / max(1, entities)
    }

    /// Returns how the entity with the hash differs, such as "name is optional" or "name is optional, age is required,
    /// and does not have notes"; nil if no combination that was tried produces the hash.
    ///
    /// Single changes of each kind are tried, then two and three together; absent properties, optionality and
    /// uniqueness may be changed any number of times.
    ///
    /// - Parameters:
    ///   - name: the name of the entity.
    ///   - model: the current model.
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
