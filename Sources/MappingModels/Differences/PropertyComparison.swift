internal import ManagedObjectModels

/// Finds the declared properties of an entity that differ, as a step of `ModelDifference.init`.
struct PropertyComparison {
    let correspondence: ModelCorrespondence

    /// nil if the entity is new.
    let source: ResolvedEntity?

    /// nil if the entity is removed.
    let destination: ResolvedEntity?

    func differences() -> [PropertyDifference] {
        (attributes() + relationships() + fetchedProperties()).sorted {
            ($0.name, $0.kind.rawValue, $0.property.rawValue) < ($1.name, $1.kind.rawValue, $1.property.rawValue)
        }
    }

    // MARK: Attributes

    private func attributes() -> [PropertyDifference] {
        var result: [PropertyDifference] = []
        // The same name, but stored in one version and derived in the other: not a pair, since there is no value to
        // keep.
        var flipped: Set<String> = []
        let declared = source?.declaredAttributes ?? []
        let byName = Dictionary(declared.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for attribute in destination?.declaredAttributes ?? [] {
            if let former = formerAttribute(of: attribute) {
                if let difference = difference(from: former, to: attribute) { result.append(difference) }
            } else if let former = byName[attribute.name],
                former.isStored != attribute.isStored || former.isDerived != attribute.isDerived,
                remaining(afterRemovalOf: former).kept == 0
            {
                flipped.insert(attribute.name)
                if let difference = difference(from: former, to: attribute) { result.append(difference) }
            } else {
                result.append(addition(of: attribute))
            }
        }
        for attribute in declared where !flipped.contains(attribute.name) {
            let (kept, losing) = remaining(afterRemovalOf: attribute)
            if let removal = removal(
                .attribute, name: attribute.name, summary: PropertySummary.of(attribute.description), kept: kept,
                losing: losing, holdsData: attribute.isStored && !attribute.isDerived,
                changesHash: !attribute.description.isTransient)
            {
                result.append(removal)
            }
        }
        return result
    }

    /// Returns the source's attribute, in the entity itself or, if it moved up, in a subentity.
    private func formerAttribute(of attribute: ResolvedAttribute) -> ResolvedAttribute? {
        guard let destination else { return nil }
        for slot in destination.subtree {
            if let former = correspondence.sourceAttribute(for: attribute.name, in: slot) { return former }
        }
        return nil
    }

    private func addition(of attribute: ResolvedAttribute) -> PropertyDifference {
        PropertyDifference(
            .attribute, .added, name: attribute.name, summary: PropertySummary.of(attribute.description),
            changesVersionHash: !attribute.description.isTransient, consequence(ofMissing: attribute))
    }

    /// Returns the consequence of objects having no value yet.
    private func consequence(ofMissing attribute: ResolvedAttribute) -> ChangeConsequence {
        guard attribute.isStored, !attribute.isDerived, !attribute.isOptional,
            attribute.description.defaultForMigration == nil
        else { return .harmless }
        let lacking = entitiesWithObjects().filter {
            correspondence.sourceAttribute(for: attribute.name, in: $0) == nil
        }
        guard !lacking.isEmpty else { return .harmless }
        return .dataDependent(
            "required without a default: the migration fails if there are objects of \(names(ofDestination: lacking))")
    }

    private func difference(from former: ResolvedAttribute, to attribute: ResolvedAttribute) -> PropertyDifference? {
        let move = move(from: former.owner, to: attribute.owner)
        if move == nil && former.description == attribute.description && former.name == attribute.name { return nil }
        let assessment = AttributeChangeAssessment(source: former.description, destination: attribute.description)
        var changes = FacetTable(former.description).changes(to: FacetTable(attribute.description))
            .map { assessment.assessed($0) }
        if let move {
            changes.insert(
                FacetChange(.declaringEntity, old: move.old, new: move.new, consequence(ofMissing: attribute)), at: 0)
        }
        let isRenamed = former.name != attribute.name
        guard isRenamed || !changes.isEmpty else { return nil }
        return PropertyDifference(
            .attribute, isRenamed ? .renamed : .changed, name: attribute.name,
            formerName: isRenamed ? former.name : nil,
            changesVersionHash: (isRenamed && assessment.nameEntersHash) || move != nil && assessment.isHashed,
            isRenamed ? .rename("versions of the app before this one look for \(former.name)") : .harmless,
            changes: changes)
    }

    // MARK: Relationships

    private func relationships() -> [PropertyDifference] {
        var result: [PropertyDifference] = []
        var flipped: Set<String> = []
        let declared = source?.declaredRelationships ?? []
        let byName = Dictionary(declared.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for relationship in destination?.declaredRelationships ?? [] {
            if let former = formerRelationship(of: relationship) {
                if let difference = difference(from: former, to: relationship) { result.append(difference) }
            } else if let former = byName[relationship.name], former.isStored != relationship.isStored,
                remaining(afterRemovalOf: former).kept == 0
            {
                flipped.insert(relationship.name)
                if let difference = difference(from: former, to: relationship) { result.append(difference) }
            } else {
                result.append(addition(of: relationship))
            }
        }
        for relationship in declared where !flipped.contains(relationship.name) {
            let (kept, losing) = remaining(afterRemovalOf: relationship)
            if let removal = removal(
                .relationship, name: relationship.name, summary: PropertySummary.of(relationship.description),
                kept: kept, losing: losing, holdsData: relationship.isStored, changesHash: relationship.isStored)
            {
                result.append(removal)
            }
        }
        return result
    }

    private func formerRelationship(of relationship: ResolvedRelationship) -> ResolvedRelationship? {
        guard let destination else { return nil }
        for slot in destination.subtree {
            if let former = correspondence.sourceRelationship(for: relationship.name, in: slot) { return former }
        }
        return nil
    }

    private func addition(of relationship: ResolvedRelationship) -> PropertyDifference {
        let isLacking = relationship.isStored && !relationship.isOptional && !entitiesWithObjects().isEmpty
        return PropertyDifference(
            .relationship, .added, name: relationship.name, summary: PropertySummary.of(relationship.description),
            changesVersionHash: relationship.isStored,
            isLacking
                ? .dataDependent("required: existing objects have no destination yet, and can't be saved")
                : .harmless)
    }

    private func difference(
        from former: ResolvedRelationship, to relationship: ResolvedRelationship
    ) -> PropertyDifference? {
        let move = move(from: former.owner, to: relationship.owner)
        if move == nil && former.description == relationship.description { return nil }
        let assessment = RelationshipChangeAssessment(
            correspondence: correspondence, source: former, destination: relationship)
        var changes = FacetTable(former.description).changes(to: FacetTable(relationship.description))
            .map { assessment.assessed($0) }
        if let move { changes.insert(FacetChange(.declaringEntity, old: move.old, new: move.new), at: 0) }
        let isRenamed = former.name != relationship.name
        guard isRenamed || !changes.isEmpty else { return nil }
        return PropertyDifference(
            .relationship, isRenamed ? .renamed : .changed, name: relationship.name,
            formerName: isRenamed ? former.name : nil,
            changesVersionHash: (isRenamed || move != nil) && assessment.isHashed,
            isRenamed ? .rename("versions of the app before this one look for \(former.name)") : .harmless,
            changes: changes)
    }

    // MARK: Fetched properties

    /// Returns the differences of fetched properties, which are not stored: they are paired by name, and carry no risk.
    private func fetchedProperties() -> [PropertyDifference] {
        let old = source?.description.fetchedProperties ?? []
        let new = destination?.description.fetchedProperties ?? []
        let removed = old.filter { property in !new.contains { $0.name == property.name } }.map {
            PropertyDifference(
                .fetchedProperty, .removed, name: $0.name, summary: FacetText.fetchRequest($0.fetchRequest),
                changesVersionHash: false)
        }
        let others = new.compactMap { property -> PropertyDifference? in
            guard let former = old.first(where: { $0.name == property.name }) else {
                return PropertyDifference(
                    .fetchedProperty, .added, name: property.name,
                    summary: FacetText.fetchRequest(property.fetchRequest), changesVersionHash: false)
            }
            let changes = FacetTable(former).changes(to: FacetTable(property))
                .map { FacetChange($0.facet, detail: $0.detail, old: $0.old, new: $0.new) }
            guard !changes.isEmpty else { return nil }
            return PropertyDifference(
                .fetchedProperty, .changed, name: property.name, changesVersionHash: false, changes: changes)
        }
        return removed + others
    }
}
