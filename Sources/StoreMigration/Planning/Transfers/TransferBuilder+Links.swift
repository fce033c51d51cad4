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
        func column(_ name: String) -> String { "l." + SQLiteIdentifier.bare(name) }
        /// Returns the links in a key column of an entity's rows.
        func keyed(
            _ entity: Int, _ key: EntityColumn.Role, _ orderRole: EntityColumn.Role, rowsAreOwners: Bool
        ) -> SourceLinks? {
            guard let table = source.table(ofEntity: entity), let key = source.column(key) else { return nil }
            let order = source.column(orderRole).map { column($0.name) }
            let name = column(key.name)
            return SourceLinks(
                from: "FROM \(naming.name(table.name)) l", owner: rowsAreOwners ? "l.Z_PK" : name,
                destination: rowsAreOwners ? name : "l.Z_PK", order: rowsAreOwners ? nil : order,
                inverseOrder: rowsAreOwners ? order : nil, conditions: ["\(name) IS NOT NULL"])
        }
        switch relationship.storage {
        case .joinTable:
            guard let join = source.joinTable(of: relationship.key) else { return nil }
            let side = join.side(of: relationship.key)
            return SourceLinks(
                from: "FROM \(naming.name(join.name)) l", owner: column(side.owner),
                destination: column(side.destination), order: side.order.map(column),
                inverseOrder: join.oppositeSide(of: relationship.key)?.order.map(column))
        case .toOne:
            return keyed(
                relationship.owner, .toOne(relationship.key), .toOneOrder(relationship.key), rowsAreOwners: true)
        case .inverseToOne:
            guard let inverse = relationship.inverse else { return nil }
            return keyed(
                relationship.destination, .toOne(inverse.key), .toOneOrder(inverse.key), rowsAreOwners: false)
        case .unidirectional:
            return keyed(
                relationship.destination, .unidirectional(relationship.key), .unidirectionalOrder(relationship.key),
                rowsAreOwners: false)
        }
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
            guard let new = destinationModel.entities[key.owner].relationship(named: key.name) else {
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
            description: "\(sourceModel.entities[old.owner].name).\(old.name)")
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
        let (side, opposite) = (join.side(of: old.key), join.oppositeSide(of: old.key))
        // Order keys must exist on both sides or on neither, because renaming creates no column.
        guard (side.order == nil) == (table.side(of: new.key).order == nil),
            (opposite?.order == nil) == (table.oppositeSide(of: new.key)?.order == nil)
        else { return nil }
        return JoinTable(
            name: join.name, relationship: table.relationship, inverse: table.inverse,
            ownerColumn: isSwapped ? side.destination : side.owner,
            destinationColumn: isSwapped ? side.owner : side.destination,
            orderColumn: isSwapped ? opposite?.order : side.order,
            inverseOrderColumn: isSwapped ? side.order : opposite?.order)
    }
}
