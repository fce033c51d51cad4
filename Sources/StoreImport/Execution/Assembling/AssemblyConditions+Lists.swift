import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import StoreAssembly

/// The links of to-many relationships in a store that is assembled.
extension AssemblyConditions {
    /// The links of to-many relationships.
    @_optimize(size)
    func reasonsOfLists() -> [String] {
        var reasons: [String] = []
        for source in sources.map(\.compiled) {
            for object in source.objects {
                for relationship in object.toManys {
                    guard let place = LinkPlace(relationship.relationship, layout: layout) else { continue }
                    if place.kind == .foreignKey {
                        if relationship.isShared(among: entities.map(\.object), in: layout) {
                            reasons += reasonsOfSharing(relationship.relationship)
                        }
                    }
                    if place.isSymmetric, keepsNamers, !relationship.adds {
                        reasons.append("links of rejected records that others name are noted")
                    }
                }
            }
        }
        return reasons
    }

    /// Links of a one-to-many relationship that several mappings say.
    @_optimize(size)
    private func reasonsOfSharing(_ relationship: ResolvedRelationship) -> [String] {
        var reasons: [String] = []
        let inverse = layout.model.inverse(of: relationship)
        let fills = entities.map(\.object).contains { object in
            object.onMatch == .fill && object.hasKey
                && (object.toOnes + object.toManys).contains {
                    [relationship.key, inverse?.key].contains($0.relationship.key)
                }
        }
        if fills { reasons.append("records fill links of a one-to-many relationship that several mappings say") }
        let lists = entities.map(\.object).flatMap(\.toManys).filter { $0.relationship.key == relationship.key }
        if relationship.isOrdered, lists.contains(where: { $0.adds && $0.order != nil }) {
            reasons.append(
                "several mappings say the links of a one-to-many relationship, and add to it in the order of a column")
        }
        if entities.map(\.object).contains(where: { object in
            object.toManys.contains { $0.relationship.key == relationship.key && mayLackOwners($0, of: object) }
        }) {
            reasons.append(
                "several mappings say the links of a one-to-many relationship, of which lists have objects in place that "
                    + "need their owners")
        }
        // Of a batch, they come before its rows.
        let root = layout.model.entities[relationship.owner].root
        let areMadeByTheirSources = sources.map(\.compiled).contains { source in
            source.objects.contains { $0.table.root == root }
                && source.objects.flatMap { $0.toOnes + $0.toManys }.contains { named in
                    guard case .key(let target) = named.target else { return false }
                    return target.makesMissing && layout.model.areRelated(target.slot, relationship.owner)
                }
        }
        if areMadeByTheirSources {
            reasons.append(
                "several mappings say the links of objects that are made where they are not there, by records that "
                    + "have such objects themselves")
        }
        return reasons
    }
}

extension CompiledRelationship {
    /// Whether several mappings say the links of a one-to-many relationship: both sides, or several lists, unless all of
    /// these name their objects by key. The owners of those lists take the objects in the order in which they were made.
    func isShared(among objects: [CompiledObject], in layout: StoreLayout) -> Bool {
        guard let place = LinkPlace(relationship, layout: layout), place.kind != .joinTable else { return false }
        let mapped = objects.flatMap { $0.toOnes + $0.toManys }
        if let inverse = relationship.inverse, inverse.isToMany || relationship.isToMany,
            mapped.contains(where: { $0.relationship.key == inverse.key })
        {
            return true
        }
        let lists = mapped.filter { $0.relationship.key == relationship.key }
        return relationship.isToMany && lists.count > 1 && !lists.allSatisfy(\.isKeyed)
    }
}
