import ManagedObjectModels
import MappingModels

/// What becomes of the objects of the first of three versions where one inferred step leads to the last, compared to a
/// step to the version in between and another one.
///
/// Renaming identifiers that are not carried on, defaults that change, and relationships that get their links from
/// another inverse make a difference. What the version in between has not, and the last has again, only the one step
/// keeps: that counts as the same.
struct StepEquivalence {
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

    /// Whether both ways give the same objects, values and links.
    var isSame: Bool { direct.destination.entities.allSatisfy(isSame) }

    private func isSame(_ entity: ResolvedEntity) -> Bool {
        guard let middle = second.sourceSlot[entity.slot], let source = first.sourceSlot[middle] else { return true }
        guard direct.sourceSlot[entity.slot] == source else { return false }
        return entity.attributes.filter { $0.isStored && !$0.isDerived }.allSatisfy {
            isSame($0, entity.slot, middle: middle)
        } && entity.relationships.filter(\.isStored).allSatisfy { isSame($0, entity.slot, middle: middle) }
    }

    private func isSame(_ attribute: ResolvedAttribute, _ slot: Int, middle: Int) -> Bool {
        let source = direct.sourceAttribute(for: attribute.name, in: slot)
        // New in the last version, or there again.
        guard let between = second.sourceAttribute(for: attribute.name, in: slot) else { return true }
        let given = between.description.defaultForMigration
        let last = attribute.description.defaultForMigration
        guard let old = first.sourceAttribute(for: between.name, in: middle) else {
            // New in between: its objects have that version's default, else NULL, until a value is required.
            return source == nil && (given ?? (attribute.isOptional ? nil : last)) == last
        }
        guard source?.name == old.name else { return false }
        // NULL becomes the default where a value is required from then on.
        guard old.isOptional, !between.isOptional else { return true }
        return !attribute.isOptional && given == last
    }

    private func isSame(_ relationship: ResolvedRelationship, _ slot: Int, middle: Int) -> Bool {
        guard let between = second.sourceRelationship(for: relationship.name, in: slot) else { return true }
        let old = first.sourceRelationship(for: between.name, in: middle)
        let source = direct.sourceRelationship(for: relationship.name, in: slot)
        // The other side gives links too.
        return source?.name == old?.name
            && self.source(of: between, in: first) == self.source(of: relationship, in: direct)
    }

    /// The relationship of the source that the inverse has its links from.
    private func source(of relationship: ResolvedRelationship, in correspondence: ModelCorrespondence) -> String? {
        relationship.inverse.flatMap { inverse in
            correspondence.sourceRelationship(for: inverse.name, in: inverse.owner).map { "\($0.owner).\($0.name)" }
        }
    }
}
