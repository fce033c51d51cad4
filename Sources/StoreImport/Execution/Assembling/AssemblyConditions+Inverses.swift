import ImportMappings
import ManagedObjectModels
import PersistentStores
import StoreAssembly

extension CompiledSource {
    /// Returns whether records are imported one by one if their objects are looked up, because what one record sets or
    /// creates decides what the next one finds.
    func isLookedUpInTurn(_ layout: StoreLayout) -> Bool {
        hasLinksInTurn(layout) || hasSourceKeysOfOneTable || createsUniqueObjects || hasKeysInTurn(layout)
    }

    /// Returns whether records have several objects in the table of an object that has a place in the ordered list of
    /// an owner.
    func hasSeveralPlaces(_ object: CompiledObject, _ layout: StoreLayout) -> Bool {
        object.toOnes.contains { $0.relationship.placesObjects(in: layout) != nil }
            && (object.isPart || !object.isOnlyOneOfItsTable(in: self))
    }

    /// Returns whether keys of objects contain other objects of the same table, which earlier records create.
    func hasKeysInTurn(_ layout: StoreLayout) -> Bool {
        objects.contains { object in
            object.keyRelationships.contains { position in
                guard case .key(let target) = object.toOnes[position].target else { return false }
                return layout.model.entities[target.slot].root == object.table.root
            }
        }
    }

    /// Returns whether several objects of a record set a one-to-one relationship or links of a one-to-many
    /// relationship, or have places in the ordered list of an owner. In these cases, the order of their records
    /// matters.
    func hasLinksInTurn(_ layout: StoreLayout) -> Bool {
        let paired = objects.map { object in
            Set(
                (object.toOnes + object.toManys).filter {
                    InverseWriter.isOneToOne($0.relationship, layout: layout) || $0.isShared(among: objects, in: layout)
                }.map(\.relationship).flatMap { [$0.key, $0.inverse?.key].compactMap(\.self) })
        }
        return objects.indices.contains { one in
            objects.indices.contains { one < $0 && !paired[one].isDisjoint(with: paired[$0]) }
                // The numbers of the objects of one mapping are in that order.
                || !objects[one].isOnlyOneOfItsTable(in: self) && hasSeveralPlaces(objects[one], layout)
        }
    }
}

extension CompiledObject {
    fileprivate func isOnlyOneOfItsTable(in source: CompiledSource) -> Bool {
        source.objects.count { $0.table.root == table.root } == 1
    }
}
