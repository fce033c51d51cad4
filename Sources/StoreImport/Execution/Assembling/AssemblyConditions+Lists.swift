import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import StoreAssembly

/// The links of to-many relationships in a store that is assembled.
extension AssemblyConditions {
    /// Returns the reasons why the links of to-many relationships cannot be assembled.
    @_optimize(size)
    func reasonsOfLists() -> [String] {
        var reasons: [String] = []
        for source in sources.map(\.compiled) {
            for object in source.objects {
                for relationship in object.toManys {
                    guard let place = LinkPlace(relationship.relationship, layout: layout) else { continue }
                    if place.isSymmetric, keepsNamers, !relationship.adds {
                        reasons.append(
                            "rejected records are written to files, and lists replace links of a relationship that is "
                                + "its own inverse")
                    }
                    // Whether such a list says anything is known too late to compare what its record has changed.
                    if case .object(let part) = relationship.target, source.objects[part].onMissing == .skip,
                        mayBeRefused(relationship)
                    {
                        reasons.append(
                            "a list that sets a relationship of a uniqueness constraint has objects that may be skipped"
                        )
                    }
                }
            }
        }
        return reasons
    }
}

extension CompiledRelationship {
    /// Returns whether several mappings set the links of a one-to-many relationship: both sides do, or several lists,
    /// unless all of these lists name their objects by key. In lists of named objects, the owners take the objects in
    /// the order in which the owners were created.
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
