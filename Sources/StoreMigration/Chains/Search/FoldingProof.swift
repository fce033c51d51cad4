import ManagedObjectModels
import MappingModels

/// Whether one inferred step from the first of three versions to the last keeps all that two steps would keep, and gives
/// the values that these would give.
///
/// Renaming identifiers that are not carried on, defaults that change, and relationships that get their links from
/// another inverse make a difference. What the version in between has not, and the last has again, only the one step
/// keeps: that is no reason against it.
struct FoldingProof {
    private let first: ModelCorrespondence
    private let second: ModelCorrespondence
    private let direct: ModelCorrespondence

    /// - Parameters: the correspondences from the first to the middle, from the middle to the last, and from the first to
    ///   the last version.
    init(_ first: ModelCorrespondence, _ second: ModelCorrespondence, direct: ModelCorrespondence) {
        self.first = first
        self.second = second
        self.direct = direct
    }

    var holds: Bool { direct.destination.entities.allSatisfy(holds) }

    private func holds(_ entity: ResolvedEntity) -> Bool {
        guard let middle = second.sourceSlot[entity.slot], let source = first.sourceSlot[middle] else { return true }
        guard direct.sourceSlot[entity.slot] == source else { return false }
        return entity.attributes.filter { $0.isStored && !$0.isDerived }.allSatisfy {
            holds($0, entity.slot, middle: middle)
        } && entity.relationships.filter(\.isStored).allSatisfy { holds($0, entity.slot, middle: middle) }
    }

    private func holds(_ attribute: ResolvedAttribute, _ slot: Int, middle: Int) -> Bool {
        let source = direct.sourceAttribute(for: attribute.name, in: slot)
        // New in the last version, or there again.
        guard let between = second.sourceAttribute(for: attribute.name, in: slot) else { return true }
        guard let old = first.sourceAttribute(for: between.name, in: middle) else {
            // New in between: its objects have that version's default.
            return source == nil && between.description.defaultForMigration == attribute.description.defaultForMigration
        }
        guard source?.name == old.name else { return false }
        // NULL becomes the default where a value is required from then on.
        guard old.isOptional, !between.isOptional else { return true }
        return !attribute.isOptional
            && between.description.defaultForMigration == attribute.description.defaultForMigration
    }

    private func holds(_ relationship: ResolvedRelationship, _ slot: Int, middle: Int) -> Bool {
        guard let between = second.sourceRelationship(for: relationship.name, in: slot) else { return true }
        let old = first.sourceRelationship(for: between.name, in: middle)
        guard direct.sourceRelationship(for: relationship.name, in: slot)?.name == old?.name else { return false }
        // The other side gives links too.
        return source(of: between, in: first) == source(of: relationship, in: direct)
    }

    /// The relationship of the source that the inverse has its links from.
    private func source(of relationship: ResolvedRelationship, in correspondence: ModelCorrespondence) -> String? {
        relationship.inverse.flatMap { inverse in
            correspondence.sourceRelationship(for: inverse.name, in: inverse.owner).map { "\($0.owner).\($0.name)" }
        }
    }
}
