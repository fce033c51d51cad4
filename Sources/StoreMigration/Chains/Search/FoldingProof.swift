import ManagedObjectModels
import MappingModels

/// What becomes of the objects of the first of three versions where one inferred step leads to the last, compared to a
/// step to the version in between and another one.
///
/// Renaming identifiers that are not carried on, defaults that change, and relationships that get their links from
/// another inverse make a difference. What the version in between has not, and the last has again, only the one step
/// keeps: that counts as the same.
struct FoldingProof {
    private let first: ModelCorrespondence
    private let second: ModelCorrespondence
    private let direct: ModelCorrespondence

    /// - Parameters: the correspondences from the first to the middle, from the middle to the last, and from the first
    ///   to the last version.
    init(_ first: ModelCorrespondence, _ second: ModelCorrespondence, direct: ModelCorrespondence) {
        self.first = first
        self.second = second
        self.direct = direct
    }

    enum Outcome: Comparable {
        case same
        /// Some values are others.
        case differs
        /// Objects, values or links get lost that two steps would keep.
        case loses
    }

    var outcome: Outcome { direct.destination.entities.map(outcome).max() ?? .same }

    private func outcome(_ entity: ResolvedEntity) -> Outcome {
        guard let middle = second.sourceSlot[entity.slot], let source = first.sourceSlot[middle] else { return .same }
        guard direct.sourceSlot[entity.slot] == source else { return .loses }
        let attributes = entity.attributes.filter { $0.isStored && !$0.isDerived }.map {
            outcome($0, entity.slot, middle: middle)
        }
        let relationships = entity.relationships.filter(\.isStored).map { outcome($0, entity.slot, middle: middle) }
        return (attributes + relationships).max() ?? .same
    }

    private func outcome(_ attribute: ResolvedAttribute, _ slot: Int, middle: Int) -> Outcome {
        let source = direct.sourceAttribute(for: attribute.name, in: slot)
        // New in the last version, or there again.
        guard let between = second.sourceAttribute(for: attribute.name, in: slot) else { return .same }
        let given = between.description.defaultForMigration
        let last = attribute.description.defaultForMigration
        guard let old = first.sourceAttribute(for: between.name, in: middle) else {
            // New in between: its objects have that version's default, else NULL, until a value is required.
            return source == nil && (given ?? (attribute.isOptional ? nil : last)) == last ? .same : .differs
        }
        guard source?.name == old.name else { return .loses }
        // NULL becomes the default where a value is required from then on.
        guard old.isOptional, !between.isOptional else { return .same }
        return !attribute.isOptional && given == last ? .same : .differs
    }

    private func outcome(_ relationship: ResolvedRelationship, _ slot: Int, middle: Int) -> Outcome {
        guard let between = second.sourceRelationship(for: relationship.name, in: slot) else { return .same }
        let old = first.sourceRelationship(for: between.name, in: middle)
        let source = direct.sourceRelationship(for: relationship.name, in: slot)
        guard source?.name == old?.name else { return old == nil ? .differs : .loses }
        // The other side gives links too.
        return self.source(of: between, in: first) == self.source(of: relationship, in: direct) ? .same : .differs
    }

    /// The relationship of the source that the inverse has its links from.
    private func source(of relationship: ResolvedRelationship, in correspondence: ModelCorrespondence) -> String? {
        relationship.inverse.flatMap { inverse in
            correspondence.sourceRelationship(for: inverse.name, in: inverse.owner).map { "\($0.owner).\($0.name)" }
        }
    }
}
