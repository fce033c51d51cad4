import ManagedObjectModels
import MappingModels

/// Compares two inferred steps over an intermediate version with a single inferred step between the same versions.
///
/// The results differ if renaming identifiers are not continued, if defaults change, or if relationships get their
/// links from another inverse. Data that the intermediate version lacks and the last one has again are only kept by the
/// single step; this does not count as a difference.
struct StepEquivalence {
    private let first: ModelCorrespondence
    private let second: ModelCorrespondence
    private let direct: ModelCorrespondence

    /// - Parameters: the correspondences from the first version to the intermediate one, from that to the last version,
    ///   and from the first to the last version.
    init(_ first: ModelCorrespondence, _ second: ModelCorrespondence, direct: ModelCorrespondence) {
        self.first = first
        self.second = second
        self.direct = direct
    }

    /// Whether both ways result in the same objects, values and links.
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
        // The attribute is new in the last version, or exists again.
        guard let between = second.sourceAttribute(for: attribute.name, in: slot) else { return true }
        let given = between.description.defaultForMigration
        let last = attribute.description.defaultForMigration
        guard let old = first.sourceAttribute(for: between.name, in: middle) else {
            // The attribute is new in the intermediate version: its objects get that version's default, or else NULL
            // until a value is required.
            return source == nil && (given ?? (attribute.isOptional ? nil : last)) == last
        }
        guard source?.name == old.name else { return false }
        // NULL is replaced by the default in the version from which on a value is required.
        guard old.isOptional, !between.isOptional else { return true }
        return !attribute.isOptional && given == last
    }

    private func isSame(_ relationship: ResolvedRelationship, _ slot: Int, middle: Int) -> Bool {
        guard let between = second.sourceRelationship(for: relationship.name, in: slot) else { return true }
        let old = first.sourceRelationship(for: between.name, in: middle)
        let source = direct.sourceRelationship(for: relationship.name, in: slot)
        // The other side also provides links.
        return source?.name == old?.name
            && self.source(of: between, in: first) == self.source(of: relationship, in: direct)
    }

    /// Returns the relationship of the source from which the inverse gets its links.
    private func source(of relationship: ResolvedRelationship, in correspondence: ModelCorrespondence) -> String? {
        relationship.inverse.flatMap { inverse in
            correspondence.sourceRelationship(for: inverse.name, in: inverse.owner).map { "\($0.owner).\($0.name)" }
        }
    }
}
