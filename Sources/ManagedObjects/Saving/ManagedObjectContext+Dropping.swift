import ManagedObjectModels

extension ManagedObjectContext {
    /// Drops the changes of an object, including its links on both sides; it then counts as unchanged, unless links of
    /// other objects keep it changed.
    ///
    /// - Parameter replace: gives it another row.
    func dropChanges(of object: ManagedObject, replacing replace: () -> Void = {}) throws {
        for (slot, _) in object.state?.toOnes.entries ?? [] {
            try setToOne(object, slot, to: object.storedToOne(slot).map { self.object($0) })
        }
        for (slot, links) in object.state?.toManys.entries ?? []
        where object.shape.toManys[slot].relationship.storage == .joinTable {
            for key in links.added.keys { try part(object, slot, from: self.object(key)) }
            for key in links.removed where !links.added.contains(key) {
                try link(object, slot, with: self.object(key))
            }
        }
        object.state?.attributes.removeAll { slot, _ in object.shape.attributes[slot].position != nil }
        replace()
        guard !(object.state?.toManys.entries.contains { $0.value.isChanged } ?? false) else { return }
        object.flags.remove(.updated)
        updated.remove(object)
    }
}
