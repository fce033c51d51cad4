internal import ManagedObjectModels

/// Finds the failures of an inferred mapping, as a step of `InferredMapping.init`.
struct InferenceReview {
    let correspondence: ModelCorrespondence

    private var source: ResolvedModel { correspondence.source }
    private var destination: ResolvedModel { correspondence.destination }

    func failures() -> [InferenceFailure] {
        var result = mergedHierarchies() + sharedIdentifiers()
        // The refusal of an inherited property is reported once, for the topmost entity that has it.
        var refused: Set<Refusal> = []
        for entity in destination.entities {
            guard let old = correspondence.sourceEntity(of: entity.slot) else { continue }
            if entity.isAbstract && !old.isAbstract {
                result.append(InferenceFailure(.becameAbstract, entity: entity.name, sourceEntity: old.name))
            }
            for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
                result += failures(of: attribute, in: entity, from: old, refused: &refused)
            }
            for relationship in entity.relationships where relationship.isStored {
                result += failures(of: relationship, in: entity, from: old, refused: &refused)
            }
        }
        return result + UniquenessReview(correspondence: correspondence).failures()
    }

    /// A property of the destination, in its declaring entity, with that of the source.
    private struct Refusal: Hashable {
        let owner: Int
        let name: String
        let sourceOwner: Int
        let sourceName: String
    }

    /// Returns failures for entities and properties with the same renaming identifier; by default the identifier is the
    /// name.
    private func sharedIdentifiers() -> [InferenceFailure] {
        typealias Candidate = NamePairing.Candidate
        var result: [InferenceFailure] = []
        func add(
            _ double: (candidate: Candidate, other: Candidate), _ entity: String, property: String?, _ old: String?
        ) {
            result.append(
                InferenceFailure(
                    .sharedRenamingIdentifier(identifier: double.candidate.identifier, other: double.other.name),
                    entity: entity, property: property, sourceEntity: old))
        }
        for model in [destination, source] {
            let entities = model.entities.map {
                Candidate(name: $0.name, renamingIdentifier: $0.description.renamingIdentifier)
            }
            for double in Candidate.doubles(entities) { add(double, double.candidate.name, property: nil, nil) }
        }
        var known: Set<[String]> = []
        for entity in destination.entities {
            guard let old = correspondence.sourceEntity(of: entity.slot) else { continue }
            let before = storedProperties(of: old)
            // If an identifier does not exist in the source, the parts that share it are new.
            let meant = Set(before.map(\.name) + before.map(\.identifier))
            let now = Candidate.doubles(storedProperties(of: entity)).filter { meant.contains($0.candidate.identifier) }
            for double in now + Candidate.doubles(before) {
                let (candidate, other) = double
                guard known.insert([candidate.identifier, candidate.name, other.name]).inserted else { continue }
                add(double, entity.name, property: candidate.name, old.name)
            }
        }
        return result
    }

    private func storedProperties(of entity: ResolvedEntity) -> [NamePairing.Candidate] {
        let named =
            entity.attributes.filter { $0.isStored && !$0.isDerived }.map {
                ($0.name, $0.description.renamingIdentifier)
            }
            + entity.relationships.filter(\.isStored).map { ($0.name, $0.description.renamingIdentifier) }
        return named.map { NamePairing.Candidate(name: $0.0, renamingIdentifier: $0.1) }
    }

    private func mergedHierarchies() -> [InferenceFailure] {
        var sources: [Int: Set<Int>] = [:]
        for entity in destination.entities {
            guard let old = correspondence.sourceEntity(of: entity.slot) else { continue }
            sources[entity.root, default: []].insert(old.root)
        }
        return sources.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { root, merged in
            InferenceFailure(
                .mergedHierarchies(sources: merged.sorted().map { source.entities[$0].name }),
                entity: destination.entities[root].name)
        }
    }

    private func failures(
        of attribute: ResolvedAttribute, in entity: ResolvedEntity, from old: ResolvedEntity,
        refused: inout Set<Refusal>
    ) -> [InferenceFailure] {
        guard let former = correspondence.sourceAttribute(for: attribute.name, in: entity.slot) else {
            // An abstract entity has no objects that could lack a value.
            guard !old.isAbstract, !attribute.isOptional, attribute.description.defaultForMigration == nil else {
                return []
            }
            return [
                InferenceFailure(
                    .newAttributeWithoutDefault, entity: entity.name, property: attribute.name, sourceEntity: old.name)
            ]
        }
        func failure(_ code: InferenceFailure.Code) -> InferenceFailure {
            InferenceFailure(
                code, entity: entity.name, property: attribute.name, sourceEntity: old.name,
                sourceProperty: former.name)
        }
        let refusal = Refusal(
            owner: attribute.owner, name: attribute.name, sourceOwner: former.owner, sourceName: former.name)
        var result: [InferenceFailure] = []
        if former.type != attribute.type, !former.type.isScalarNumber || !attribute.type.isScalarNumber {
            guard refused.insert(refusal).inserted else { return [] }
            return [failure(.attributeTypeChanged(from: former.type, to: attribute.type))]
        }
        if attribute.type == .binaryData, former.description.hasExternalData, !attribute.description.hasExternalData {
            if refused.insert(refusal).inserted { result.append(failure(.externalDataInlined)) }
        }
        guard !old.isAbstract else { return result }
        if AttributeType.mayNarrow(from: former.type, to: attribute.type) {
            result.append(failure(.numberNarrowed(from: former.type, to: attribute.type)))
        }
        if former.isOptional, !attribute.isOptional, attribute.description.defaultForMigration == nil {
            result.append(failure(.requiredWithoutDefault))
        }
        return result
    }

    private func failures(
        of relationship: ResolvedRelationship, in entity: ResolvedEntity, from old: ResolvedEntity,
        refused: inout Set<Refusal>
    ) -> [InferenceFailure] {
        guard let former = correspondence.sourceRelationship(for: relationship.name, in: entity.slot) else {
            return old.isAbstract ? [] : failuresOfInverse(of: relationship, in: entity, from: old)
        }
        if former.isToMany && !relationship.isToMany {
            let refusal = Refusal(
                owner: relationship.owner, name: relationship.name, sourceOwner: former.owner, sourceName: former.name)
            guard refused.insert(refusal).inserted else { return [] }
            return [
                InferenceFailure(
                    .toManyBecameToOne, entity: entity.name, property: relationship.name, sourceEntity: old.name,
                    sourceProperty: former.name)
            ]
        }
        guard !old.isAbstract else { return [] }
        var result: [InferenceFailure] = []
        if relationship.storage == .unidirectional, mayShareDestinations(former) {
            // One count for all subentities is sufficient, since they share the column.
            let shared = Refusal(
                owner: relationship.owner, name: relationship.name, sourceOwner: relationship.owner, sourceName: "")
            if refused.insert(shared).inserted {
                result.append(
                    InferenceFailure(
                        .sharedDestinations, entity: entity.name, property: relationship.name, sourceEntity: old.name,
                        sourceProperty: former.name))
            }
        }
        let excluded = source.entities[former.destination].subtree.filter { slot in
            guard !source.entities[slot].isAbstract, let now = correspondence.destinationSlot[slot] else {
                return false
            }
            return !destination.isKind(now, of: relationship.destination)
        }
        if !excluded.isEmpty {
            result.append(
                narrowing(of: relationship, in: entity, from: old, sourceProperty: former.name, excluded: excluded))
        }
        return result
    }

    /// Returns whether several source objects can lead to the same one by a relationship.
    private func mayShareDestinations(_ relationship: ResolvedRelationship) -> Bool {
        switch relationship.storage {
        case .joinTable: true
        case .toOne: relationship.inverse?.isToMany ?? true
        case .inverseToOne, .unidirectional: false
        }
    }

    /// Returns failures of a new relationship that is filled from an existing inverse.
    private func failuresOfInverse(
        of relationship: ResolvedRelationship, in entity: ResolvedEntity, from old: ResolvedEntity
    ) -> [InferenceFailure] {
        guard let inverse = relationship.inverse, !inverse.isTransient else { return [] }
        var excluded: [Int] = []
        var origins: Set<Refusal> = []
        var mayShare = false
        for slot in destination.entities[inverse.owner].subtree {
            guard let origin = correspondence.sourceSlot[slot], !source.entities[origin].isAbstract,
                let former = correspondence.sourceRelationship(for: inverse.name, in: slot),
                source.isKind(old.slot, of: former.destination)
            else { continue }
            if !destination.isKind(slot, of: relationship.destination) { excluded.append(origin) }
            origins.insert(
                Refusal(
                    owner: inverse.owner, name: inverse.name, sourceOwner: former.owner, sourceName: former.name))
            if former.inverse.map({ $0.isToMany || $0.isTransient }) ?? true { mayShare = true }
        }
        var result: [InferenceFailure] = []
        if !excluded.isEmpty {
            result.append(narrowing(of: relationship, in: entity, from: old, sourceProperty: nil, excluded: excluded))
        }
        if !relationship.isToMany && (mayShare || origins.count > 1) {
            let owner = destination.entities[inverse.owner].name
            result.append(
                InferenceFailure(
                    .severalSources(inverse: "\(owner).\(inverse.name)"), entity: entity.name,
                    property: relationship.name, sourceEntity: old.name))
        }
        return result
    }

    private func narrowing(
        of relationship: ResolvedRelationship, in entity: ResolvedEntity, from old: ResolvedEntity,
        sourceProperty: String?, excluded: [Int]
    ) -> InferenceFailure {
        InferenceFailure(
            .destinationNarrowed(
                to: destination.entities[relationship.destination].name,
                excluded: excluded.map { source.entities[$0].name }),
            entity: entity.name, property: relationship.name, sourceEntity: old.name, sourceProperty: sourceProperty)
    }
}
