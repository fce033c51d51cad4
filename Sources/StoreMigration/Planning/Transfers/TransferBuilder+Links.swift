import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

extension TransferBuilder {
    /// A source relationship whose links are copied to a destination relationship, and the slots of the source entities
    /// whose objects have them.
    typealias Counterpart = (relationship: ResolvedRelationship, owners: [Int])

    /// Returns all source relationships that become a relationship in one of its entity's subentities.
    func sourceCounterparts(of key: PropertyKey) -> [Counterpart] {
        var result: [Counterpart] = []
        for slot in destinationModel.entities[key.owner].subtree {
            guard let sourceSlot = correspondence.sourceSlot[slot],
                let old = correspondence.sourceRelationship(for: key.name, in: slot), old.isStored
            else { continue }
            if let index = result.firstIndex(where: { $0.relationship.key == old.key }) {
                result[index].owners.append(sourceSlot)
            } else {
                result.append((old, [sourceSlot]))
            }
        }
        return result
    }

    /// Returns the owner and destination keys of a relationship.
    func links(_ relationship: ResolvedRelationship) -> SourceLinks? {
        SourceLinks(relationship, in: source, naming: naming)
    }

    /// Returns the links of a counterpart that are allowed in the new model.
    ///
    /// - Parameters:
    ///   - owner: the slot of the destination entity whose objects may have them.
    ///   - destination: the slot of the destination entity to whose objects they may lead.
    func keptLinks(_ counterpart: Counterpart, from owner: Int, to destination: Int) -> SourceLinks? {
        let old = counterpart.relationship
        guard var links = links(old) else { return nil }
        let owners = TargetFilter(self, of: counterpart.owners, in: old.owner, for: owner)
        let targets = TargetFilter(self, ofAll: old.destination, for: destination)
        if owners.numbers.isEmpty || targets.numbers.isEmpty { return nil }
        links.conditions += [
            owners.condition(self, key: links.owner), targets.condition(self, key: links.destination),
        ].compactMap { $0 }
        return links
    }

    /// Returns the key of the first object that leads to an object, as a query in parentheses.
    func firstOwner(of key: String, through relationship: ResolvedRelationship, _ owners: TargetFilter) -> String? {
        guard !owners.numbers.isEmpty, var links = links(relationship) else { return nil }
        links.conditions.append("\(links.destination) = \(key)")
        if let condition = owners.condition(self, key: links.owner) { links.conditions.append(condition) }
        return "(SELECT min(\(links.owner)) \(links.fromWhere))"
    }

    /// Returns the condition that a table has an object with a key and one of some entity numbers.
    func existence(of key: String, in table: EntityTable, numbers: [Int]) -> String {
        let list = numbers.map(String.init).joined(separator: ", ")
        return "EXISTS (SELECT 1 FROM \(naming.name(table.name)) e WHERE e.Z_PK = \(key) AND e.Z_ENT IN (\(list)))"
    }

    // MARK: - Join tables

    func joinTables() -> [JoinTransfer] {
        destination.joinTables.map { table in
            let own = sourceCounterparts(of: table.relationship)
            let isSwapped = own.isEmpty && !table.isSelfInverse
            let counterparts = isSwapped ? sourceCounterparts(of: table.inverse) : own
            let key = isSwapped ? table.inverse : table.relationship
            guard let new = destinationModel.relationship(key) else {
                return JoinTransfer(table: table, selections: [], renamedFrom: nil)
            }
            let selections = counterparts.compactMap { counterpart in
                keptLinks(counterpart, from: new.owner, to: new.destination).map {
                    selection($0, of: counterpart.relationship, isSwapped: isSwapped)
                }
            }
            return JoinTransfer(
                table: table, selections: selections,
                renamedFrom: counterparts.count == 1 ? renamed(counterparts[0], new, table, isSwapped) : nil)
        }
    }

    private func selection(
        _ links: SourceLinks, of old: ResolvedRelationship, isSwapped: Bool
    ) -> LinkSelection {
        LinkSelection(
            from: links.fromWhere, owner: isSwapped ? links.destination : links.owner,
            destination: isSwapped ? links.owner : links.destination,
            order: isSwapped ? links.inverseOrder : links.order,
            inverseOrder: isSwapped ? links.order : links.inverseOrder,
            description: "\(sourceModel.entities[old.owner].name).\(old.name)", isSortedBySQLite: true)
    }

    /// Returns the source join table if all of its rows are copied unchanged.
    private func renamed(
        _ counterpart: Counterpart, _ new: ResolvedRelationship, _ table: JoinTable, _ isSwapped: Bool
    ) -> JoinTable? {
        let old = counterpart.relationship
        guard old.storage == .joinTable, let join = source.joinTable(of: old.key),
            join.isSelfInverse == table.isSelfInverse,
            let links = keptLinks(counterpart, from: new.owner, to: new.destination), links.conditions.isEmpty
        else { return nil }
        return JoinTransfer.source(join, of: old.key, for: table, isSwapped: isSwapped)
    }
}
