internal import ManagedObjectModels

/// Properties that move within a hierarchy.
extension PropertyComparison {
    /// Returns the destination entities of the subtree that take over objects.
    func entitiesWithObjects() -> [Int] {
        guard let destination else { return [] }
        return destination.subtree.filter { correspondence.sourceEntity(of: $0)?.isAbstract == false }
    }

    func names(ofDestination slots: [Int]) -> String {
        slots.map { correspondence.destination.entities[$0].name }.joined(separator: ", ")
    }

    /// Returns the number of subentities (or the entity itself) that keep an attribute, and the entities with objects
    /// that lose it.
    func remaining(afterRemovalOf attribute: ResolvedAttribute) -> (kept: Int, losing: [Int]) {
        remaining { correspondence.destinationAttribute(for: attribute.name, in: $0) != nil }
    }

    func remaining(afterRemovalOf relationship: ResolvedRelationship) -> (kept: Int, losing: [Int]) {
        remaining { correspondence.destinationRelationship(for: relationship.name, in: $0) != nil }
    }

    private func remaining(_ keeps: (Int) -> Bool) -> (kept: Int, losing: [Int]) {
        guard let source else { return (0, []) }
        var kept = 0
        var losing: [Int] = []
        for slot in source.subtree where correspondence.destinationSlot[slot] != nil {
            if keeps(slot) {
                kept += 1
            } else if !correspondence.source.entities[slot].isAbstract {
                losing.append(slot)
            }
        }
        return (kept, losing)
    }

    /// Returns the removal of a property; nil if it only moved, or was removed with the whole entity.
    func removal(
        _ property: PropertyDifference.PropertyKind, name: String, summary: String, kept: Int, losing: [Int],
        holdsData: Bool, changesHash: Bool
    ) -> PropertyDifference? {
        if losing.isEmpty && (kept > 0 || destination == nil) { return nil }
        var consequence = ChangeConsequence.harmless
        if holdsData && !losing.isEmpty {
            let what = property == .relationship ? "links" : "values"
            let owners = losing.map { correspondence.source.entities[$0].name }.joined(separator: ", ")
            consequence = .destructive(
                losing == [source?.slot] ? "its \(what) are dropped" : "its \(what) in \(owners) are dropped")
        }
        return PropertyDifference(
            property, .removed, name: name, summary: summary, changesVersionHash: changesHash, consequence)
    }

    /// Returns the names of the declaring entities if the property moved between them; nil if it stayed.
    func move(from source: Int, to destination: Int) -> (old: String, new: String)? {
        guard correspondence.sourceSlot[destination] != source else { return nil }
        return (
            correspondence.source.entities[source].name, correspondence.destination.entities[destination].name
        )
    }
}
