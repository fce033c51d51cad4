import ImportMappings
import ManagedObjectModels
import PersistentStores
import StoreAssembly

extension CompiledSource {
    /// Whether records have several objects in the table of one whose places among those of an owner are kept.
    func hasSeveralPlaces(_ object: CompiledObject, _ layout: StoreLayout) -> Bool {
        object.toOnes.contains { $0.relationship.placesObjects(in: layout) != nil }
            && (object.isPart || !object.isOnlyOneOfItsTable(in: self))
    }

    /// Whether keys of objects have others of the same table, which earlier records make.
    func hasKeysInTurn(_ layout: StoreLayout) -> Bool {
        objects.contains { object in
            object.keyRelationships.contains { position in
                guard case .key(let target) = object.toOnes[position].target else { return false }
                return layout.model.entities[target.slot].root == object.table.root
            }
        }
    }

    /// Whether several objects of a record have a one-to-one relationship, links of a one-to-many relationship, or places
    /// among those of an owner: then it matters in which order their records come.
    func hasLinksInTurn(_ layout: StoreLayout) -> Bool {
        let paired = objects.map { object in
            Set(
                (object.toOnes + object.toManys).filter {
                    InverseWriter.isOneToOne($0.relationship, layout: layout) || $0.isShared(among: objects, in: layout)
                }.map(\.relationship).flatMap { [$0.key, $0.inverse?.key].compactMap(\.self) })
        }
        return objects.indices.contains { one in
            objects.indices.contains { one < $0 && !paired[one].isDisjoint(with: paired[$0]) }
                // The objects of one mapping have their numbers in that order.
                || !objects[one].isOnlyOneOfItsTable(in: self) && hasSeveralPlaces(objects[one], layout)
        }
    }
}

extension CompiledObject {
    fileprivate func isOnlyOneOfItsTable(in source: CompiledSource) -> Bool {
        source.objects.count { $0.table.root == table.root } == 1
    }
}
