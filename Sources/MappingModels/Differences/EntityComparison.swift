internal import ManagedObjectModels

/// Finds the entities that differ, as a step of `ModelDifference.init`.
struct EntityComparison {
    let correspondence: ModelCorrespondence
    let sourceHashes: [String: [UInt8]]
    let destinationHashes: [String: [UInt8]]

    private var source: ResolvedModel { correspondence.source }
    private var destination: ResolvedModel { correspondence.destination }

    func differences() -> [EntityDifference] {
        let constraints = Set(UniquenessReview(correspondence: correspondence).failures())
        var result: [EntityDifference] = []
        // Superentities have lower slots, so their results are available for their subentities.
        var hashChanges = [Bool](repeating: true, count: destination.entities.count)
        for entity in destination.entities {
            guard let old = correspondence.sourceEntity(of: entity.slot) else {
                result.append(addition(of: entity, breakable: constraints))
                continue
            }
            if let difference = difference(
                from: old, to: entity, breakable: constraints, hashChanges: &hashChanges)
            {
                result.append(difference)
            }
        }
        for entity in source.entities where correspondence.destinationSlot[entity.slot] == nil {
            result.append(removal(of: entity))
        }
        return result.sorted { ($0.name, $0.kind.rawValue) < ($1.name, $1.kind.rawValue) }
    }

    private func addition(of entity: ResolvedEntity, breakable: Set<InferenceFailure>) -> EntityDifference {
        let silence = EntityDescription(name: entity.name)
        return EntityDifference(
            .added, name: entity.name, changesVersionHash: true,
            changes: FacetTable(silence).changes(to: FacetTable(entity.description)).map { change in
                FacetChange(
                    change.facet, detail: change.detail, old: change.old, new: change.new,
                    change.facet == .uniquenessConstraint
                        ? consequence(ofConstraint: change.new, on: entity, breakable: breakable) : .harmless)
            },
            properties: PropertyComparison(correspondence: correspondence, source: nil, destination: entity)
                .differences())
    }

    private func removal(of entity: ResolvedEntity) -> EntityDifference {
        EntityDifference(
            .removed, name: entity.name, changesVersionHash: true,
            entity.isAbstract
                ? .none("it was abstract, without objects of its own") : .destructive("its objects are dropped"),
            properties: PropertyComparison(correspondence: correspondence, source: entity, destination: nil)
                .differences())
    }

    private func difference(
        from old: ResolvedEntity, to entity: ResolvedEntity, breakable: Set<InferenceFailure>,
        hashChanges: inout [Bool]
    ) -> EntityDifference? {
        let changes = FacetTable(old.description).changes(to: FacetTable(entity.description)).map { change in
            FacetChange(
                change.facet, detail: change.detail, old: change.old, new: change.new,
                changesVersionHash: [.parent, .abstract, .uniquenessConstraint, .hashModifier].contains(change.facet),
                change.facet == .uniquenessConstraint
                    ? consequence(ofConstraint: change.new, on: entity, breakable: breakable)
                    : consequence(of: change, from: old, to: entity))
        }
        let properties = PropertyComparison(correspondence: correspondence, source: old, destination: entity)
            .differences()
        let isRenamed = old.name != entity.name
        let changesHash: Bool
        if let known = sourceHashes[old.name], let new = destinationHashes[entity.name] {
            changesHash = known != new
        } else {
            changesHash =
                isRenamed || changes.contains(where: \.changesVersionHash)
                || properties.contains(where: \.changesVersionHash)
                || (entity.superentity.map { hashChanges[$0] } ?? false)
        }
        hashChanges[entity.slot] = changesHash
        guard isRenamed || changesHash || !changes.isEmpty || !properties.isEmpty else { return nil }
        return EntityDifference(
            isRenamed ? .renamed : .changed, name: entity.name, formerName: isRenamed ? old.name : nil,
            changesVersionHash: changesHash,
            isRenamed ? .rename("versions of the app before this one look for \(old.name)") : .harmless,
            changes: changes, properties: properties)
    }

    private func consequence(
        of change: FacetTable.Change, from old: ResolvedEntity, to entity: ResolvedEntity
    ) -> ChangeConsequence {
        switch change.facet {
        case .abstract where entity.isAbstract:
            return .dataDependent("the migration fails if there are objects of it")
        case .parent:
            if let former = old.superentity, correspondence.destinationSlot[former] == entity.superentity {
                return .none("follows the renaming of the parent")
            }
            let roots = Set(
                destination.entities[entity.root].subtree.compactMap { correspondence.sourceEntity(of: $0)?.root })
            if roots.count > 1 {
                let names = roots.sorted().map { source.entities[$0].name }.joined(separator: " and ")
                return .destructive(
                    "the hierarchies of \(names) are merged, which needs a custom mapping model")
            }
            let formerRoot = correspondence.destinationSlot[old.root]
            return formerRoot == entity.root ? .harmless : .none("its objects move to the table of another hierarchy")
        default: return .harmless
        }
    }

    private func consequence(
        ofConstraint text: String?, on entity: ResolvedEntity, breakable: Set<InferenceFailure>
    ) -> ChangeConsequence {
        let isBreakable = breakable.contains { failure in
            guard failure.entity == entity.name, case .newUniquenessConstraint(let names) = failure.code else {
                return false
            }
            return FacetText.constraint(names) == text
        }
        return isBreakable ? .dataDependent("the migration fails if there are duplicates") : .harmless
    }
}
