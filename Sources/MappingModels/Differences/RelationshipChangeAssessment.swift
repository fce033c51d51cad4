internal import ManagedObjectModels

/// Assesses the changes of a relationship that exists in both versions.
struct RelationshipChangeAssessment {
    let correspondence: ModelCorrespondence
    let source: ResolvedRelationship
    let destination: ResolvedRelationship

    /// Transient relationships are left out of version hashes.
    var isHashed: Bool { source.isStored || destination.isStored }

    func assessed(_ change: FacetTable.Change) -> FacetChange {
        FacetChange(
            change.facet, detail: change.detail, old: change.old, new: change.new,
            changesVersionHash: isHashed && Self.hashed.contains(change.facet), consequence(of: change))
    }

    /// The hash depends on the cardinality only through the maximum count.
    private static let hashed: Set<ModelFacet> = [
        .optional, .transient, .hashModifier, .destination, .inverse, .maximumCount, .minimumCount, .ordered,
    ]

    private func consequence(of change: FacetTable.Change) -> ChangeConsequence {
        if change.facet == .transient, !destination.isStored { return .destructive("its links are no longer stored") }
        guard destination.isStored else { return .harmless }
        switch change.facet {
        case .cardinality:
            return destination.isToMany
                ? .harmless
                : .destructive("a custom mapping model must say which of several destinations stays")
        case .ordered:
            return destination.isOrdered
                ? .none("the order is arbitrary at first") : .destructive("the order of the destinations is dropped")
        case .optional:
            return destination.isOptional
                ? .harmless : .dataDependent("objects without a destination can't be saved any more")
        case .minimumCount:
            return destination.description.minimumCount > source.description.minimumCount
                ? .dataDependent("objects with fewer destinations can't be saved any more") : .harmless
        case .maximumCount: return consequenceOfMaximum
        case .destination: return consequenceOfDestination
        case .inverse: return consequenceOfInverse
        default: return .harmless
        }
    }

    private var consequenceOfMaximum: ChangeConsequence {
        let old = source.description.maximumCount
        let new = destination.description.maximumCount
        // For a to-one relationship, the cardinality has changed.
        guard destination.isToMany, new > 0, old == 0 || new < old else { return .harmless }
        return .dataDependent("objects with more destinations can't be saved any more")
    }

    private var consequenceOfDestination: ChangeConsequence {
        if correspondence.destinationSlot[source.destination] == destination.destination {
            return .none("follows the renaming of the entity")
        }
        let excluded = correspondence.source.entities[source.destination].subtree.filter { slot in
            guard !correspondence.source.entities[slot].isAbstract, let now = correspondence.destinationSlot[slot]
            else { return false }
            return !correspondence.destination.isKind(now, of: destination.destination)
        }
        guard !excluded.isEmpty else { return .harmless }
        let names = excluded.map { correspondence.source.entities[$0].name }.joined(separator: ", ")
        return .dataDependent("the migration fails if there are links to objects of \(names)")
    }

    private var consequenceOfInverse: ChangeConsequence {
        guard let inverse = destination.inverse else { return .harmless }
        let former = correspondence.sourceRelationship(for: inverse.name, in: inverse.owner)
        guard let former else { return .none("the new inverse is filled from this side") }
        if let old = source.inverse, old.owner == former.owner, old.name == former.name {
            return .none("follows the renaming of the inverse")
        }
        return .dataDependent("links of both sides, which were apart, must agree")
    }
}
