internal import ManagedObjectModels
internal import MappingModels

extension ChangeRule {
    /// Finds removed parts with similar added ones: without a renaming, Core Data drops the values of the former, and
    /// leaves the latter empty.
    static let possibleRenames = ChangeRule(.possibleRename) { change in
        renamedEntities(in: change)
            + change.destination.model.entities.flatMap { entity -> [LintFinding] in
                guard let former = change.correspondence.sourceEntity(of: entity.slot) else { return [] }
                return renamedAttributes(of: entity, from: former, in: change)
                    + renamedRelationships(of: entity, from: former, in: change)
            }
    }

    /// Returns findings for entities that have most of their properties in common, by name.
    private static func renamedEntities(in change: LintChange) -> [LintFinding] {
        let links = change.correspondence
        let gone = change.source.model.entities.filter { links.destinationSlot[$0.slot] == nil && !$0.isAbstract }
        let new = change.destination.model.entities.filter { links.sourceSlot[$0.slot] == nil && !$0.isAbstract }
        return pairs(gone, new) { old, candidate in
            let (left, right) = (Set(propertyNames(of: old)), Set(propertyNames(of: candidate)))
            let common = left.intersection(right).count
            // At least half of all names, so that two entities that only share an "id" do not match.
            return common >= 2 && common * 2 >= left.union(right).count ? common : nil
        }.map { old, candidate in
            change.finding(
                .possibleRename, entity: candidate.name,
                "\(old.name) is removed, and this entity has most of its properties; if it is the same, "
                    + "give it the renaming identifier \"\(old.canonicalName)\"")
        }
    }

    private static func propertyNames(of entity: ResolvedEntity) -> [String] {
        entity.attributes.map { "\($0.name) \($0.type.rawValue)" } + entity.relationships.map(\.name)
    }

    /// Returns findings for attributes of the same type.
    private static func renamedAttributes(
        of entity: ResolvedEntity, from former: ResolvedEntity, in change: LintChange
    ) -> [LintFinding] {
        let links = change.correspondence
        func isCandidate(_ attribute: ResolvedAttribute) -> Bool { attribute.isStored && !attribute.isDerived }
        let gone = former.declaredAttributes.filter {
            isCandidate($0) && links.destinationAttribute(for: $0.name, in: former.slot) == nil
        }
        let new = entity.declaredAttributes.filter {
            isCandidate($0) && links.sourceAttribute(for: $0.name, in: entity.slot) == nil
        }
        return pairs(gone, new) { old, candidate in
            old.type == candidate.type ? NameLikeness.of(old.name, candidate.name) : nil
        }.map { old, candidate in
            change.finding(
                .possibleRename, entity: entity.name, property: candidate.name,
                "\(old.name), of the same type \(old.type.name), is removed; if it is the same, give this one the "
                    + "renaming identifier \"\(old.canonicalName)\"")
        }
    }

    /// Returns findings for relationships to the same entity, with the same cardinality.
    private static func renamedRelationships(
        of entity: ResolvedEntity, from former: ResolvedEntity, in change: LintChange
    ) -> [LintFinding] {
        let links = change.correspondence
        let gone = former.declaredRelationships.filter {
            $0.isStored && links.destinationRelationship(for: $0.name, in: former.slot) == nil
        }
        let new = entity.declaredRelationships.filter {
            $0.isStored && links.sourceRelationship(for: $0.name, in: entity.slot) == nil
        }
        return pairs(gone, new) { old, candidate in
            guard old.isToMany == candidate.isToMany, links.destinationSlot[old.destination] == candidate.destination
            else { return nil }
            return NameLikeness.of(old.name, candidate.name)
        }.map { old, candidate in
            change.finding(
                .possibleRename, entity: entity.name, property: candidate.name,
                "\(old.name), which led to the same entity, is removed; if it is the same, give this one the "
                    + "renaming identifier \"\(old.canonicalName)\"")
        }
    }

    /// Returns pairs of old and new parts by similarity, the most similar first, each used only once.
    private static func pairs<Thing>(
        _ old: [Thing], _ new: [Thing], likeness: (Thing, Thing) -> Int?
    ) -> [(Thing, Thing)] {
        var candidates: [(old: Int, new: Int, likeness: Int)] = []
        for (place, thing) in old.enumerated() {
            for (index, other) in new.enumerated() {
                if let value = likeness(thing, other) { candidates.append((place, index, value)) }
            }
        }
        candidates.sort { ($1.likeness, $0.old, $0.new) < ($0.likeness, $1.old, $1.new) }
        var usedOld: Set<Int> = []
        var usedNew: Set<Int> = []
        return candidates.compactMap { candidate in
            guard !usedOld.contains(candidate.old), !usedNew.contains(candidate.new) else { return nil }
            usedOld.insert(candidate.old)
            usedNew.insert(candidate.new)
            return (old[candidate.old], new[candidate.new])
        }
    }
}

enum NameLikeness {
    /// Returns the similarity of two names: their common pairs of adjacent letters, in percent.
    static func of(_ left: String, _ right: String) -> Int {
        let (first, second) = (pairs(left), pairs(right))
        guard !first.isEmpty, !second.isEmpty else { return 0 }
        return 200 * first.intersection(second).count / (first.count + second.count)
    }

    private static func pairs(_ name: String) -> Set<String> {
        let letters = Array(name.lowercased())
        return Set(zip(letters, letters.dropFirst()).map { String([$0, $1]) })
    }
}
