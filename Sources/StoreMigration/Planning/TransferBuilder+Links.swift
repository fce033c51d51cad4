import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

extension TransferBuilder {
    /// The source relationship that a destination relationship comes from, seen from its entity or the first heir that has one.
    func sourceCounterpart(of key: PropertyKey) -> ResolvedRelationship? {
        for slot in destinationModel.entities[key.owner].subtree where correspondence.sourceSlot[slot] != nil {
            if let old = correspondence.sourceRelationship(for: key.name, in: slot), old.isStored { return old }
        }
        return nil
    }

    /// All source relationships that the heirs of a relationship's entity bring into it, with the heirs' source slots.
    func sourceCounterparts(of key: PropertyKey) -> [(relationship: ResolvedRelationship, owners: [Int])] {
        var result: [(relationship: ResolvedRelationship, owners: [Int])] = []
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

    /// The key of the first object that has an object among its destinations.
    func ownerLookup(_ relationship: ResolvedRelationship, of key: String) -> String? {
        switch relationship.storage {
        case .toOne:
            guard let table = source.table(ofEntity: relationship.owner),
                let column = source.column(.toOne(relationship.key))
            else { return nil }
            return "(SELECT min(o.Z_PK) FROM \(naming.name(table.name)) o "
                + "WHERE o.\(SQLiteIdentifier.bare(column.name)) = \(key))"
        case .joinTable:
            guard let table = source.joinTable(of: relationship.key) else { return nil }
            let side = table.side(of: relationship.key)
            return "(SELECT min(o.\(SQLiteIdentifier.bare(side.owner))) FROM \(naming.name(table.name)) o "
                + "WHERE o.\(SQLiteIdentifier.bare(side.destination)) = \(key))"
        case .inverseToOne, .unidirectional: return nil
        }
    }

    func joinTables() -> [JoinTransfer] {
        destination.joinTables.map { table in
            var selections: [LinkSelection] = []
            var renamedFrom: JoinTable?
            let own = sourceCounterparts(of: table.relationship)
            for (old, owners) in own {
                selections += linkSelection(old, owners: owners, table: table, isSwapped: false)
                renamedFrom = renamed(old, owners: owners, isOnly: own.count == 1, table: table, isSwapped: false)
            }
            if own.isEmpty, !table.isSelfInverse {
                let others = sourceCounterparts(of: table.inverse)
                for (old, owners) in others {
                    selections += linkSelection(old, owners: owners, table: table, isSwapped: true)
                    renamedFrom = renamed(old, owners: owners, isOnly: others.count == 1, table: table, isSwapped: true)
                }
            }
            return JoinTransfer(table: table, selections: selections, renamedFrom: renamedFrom)
        }
    }

    /// The source join table where all its rows go over as they are.
    private func renamed(
        _ old: ResolvedRelationship, owners: [Int], isOnly: Bool, table: JoinTable, isSwapped: Bool
    ) -> JoinTable? {
        guard isOnly, old.storage == .joinTable, let join = source.joinTable(of: old.key) else { return nil }
        let key = isSwapped ? table.inverse : table.relationship
        guard let new = destinationModel.entities[key.owner].relationship(named: key.name) else { return nil }
        let filter = TargetFilter(self, sourceDestination: old.destination, newDestination: new.destination)
        let ownersKept = TargetFilter(self, sourceDestination: old.owner, newDestination: new.owner)
        guard !filter.dropsSome, !ownersKept.dropsSome,
            sourceModel.entities[old.owner].subtree.allSatisfy({ owners.contains($0) || sourceModel.entities[$0].isAbstract })
        else { return nil }
        let side = join.side(of: old.key)
        let newSide = table.side(of: key)
        let oppositeOld = side.order == join.orderColumn && !join.isSelfInverse
            ? join.inverseOrderColumn : (join.relationship == old.key ? join.inverseOrderColumn : join.orderColumn)
        let oppositeNew = table.relationship == key ? table.inverseOrderColumn : table.orderColumn
        // Order keys must be there on both sides or on none: a rename makes no column.
        guard (side.order == nil) == (newSide.order == nil), (oppositeOld == nil) == (oppositeNew == nil),
            join.isSelfInverse == table.isSelfInverse
        else { return nil }
        return JoinTable(
            name: join.name, relationship: table.relationship, inverse: table.inverse,
            ownerColumn: isSwapped ? side.destination : side.owner,
            destinationColumn: isSwapped ? side.owner : side.destination,
            orderColumn: isSwapped ? oppositeOld : side.order,
            inverseOrderColumn: isSwapped ? side.order : oppositeOld)
    }

    /// The links of a source relationship, as rows for a join table of the destination.
    ///
    /// - Parameter isSwapped: whether the source relationship is the counterpart of the table's inverse.
    private func linkSelection(
        _ old: ResolvedRelationship, owners: [Int], table: JoinTable, isSwapped: Bool
    ) -> [LinkSelection] {
        let key = isSwapped ? table.inverse : table.relationship
        guard let new = destinationModel.entities[key.owner].relationship(named: key.name),
            let raw = keptLinks(of: old, owners: owners, newDestination: new.destination)
        else { return [] }
        let name = "\(sourceModel.entities[old.owner].name).\(old.name)"
        return [
            isSwapped
                ? LinkSelection(
                    from: raw.from, owner: raw.destination, destination: raw.owner, order: raw.inverseOrder,
                    inverseOrder: raw.order, description: name)
                : LinkSelection(
                    from: raw.from, owner: raw.owner, destination: raw.destination, order: raw.order,
                    inverseOrder: raw.inverseOrder, description: name)
        ]
    }

    /// The links between objects that are kept; nil where there are none.
    func keptLinks(of old: ResolvedRelationship, owners: [Int], newDestination: Int) -> RawLinks? {
        guard let raw = rawLinks(old) else { return nil }
        var conditions: [String] = raw.conditions
        let kept = Set(owners)
        let all = sourceModel.entities[old.owner].subtree
        if !all.allSatisfy({ kept.contains($0) || sourceModel.entities[$0].isAbstract }),
            let ownerTable = source.table(ofEntity: old.owner) {
            conditions.append(existsCondition(raw.owner, ownerTable, owners.map { source.entityNumbers[$0] }))
        }
        let filter = TargetFilter(self, sourceDestination: old.destination, newDestination: newDestination)
        if filter.numbers.isEmpty { return nil }
        if filter.dropsSome, let target = filter.table {
            conditions.append(existsCondition(raw.destination, target, filter.numbers.map(\.old)))
        }
        return RawLinks(
            from: raw.from + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")),
            owner: raw.owner, destination: raw.destination, order: raw.order, inverseOrder: raw.inverseOrder)
    }

    private func existsCondition(_ key: String, _ table: EntityTable, _ numbers: [Int]) -> String {
        let list = numbers.map(String.init).joined(separator: ", ")
        return "EXISTS (SELECT 1 FROM \(naming.name(table.name)) e WHERE e.Z_PK = \(key) AND e.Z_ENT IN (\(list)))"
    }

    struct RawLinks {
        let from: String
        let owner: String
        let destination: String
        let order: String?
        let inverseOrder: String?
        var conditions: [String] = []
    }

    /// The owner and destination keys of a relationship, wherever the source keeps them.
    func rawLinks(_ relationship: ResolvedRelationship) -> RawLinks? {
        func column(_ name: String) -> String { "l." + SQLiteIdentifier.bare(name) }
        switch relationship.storage {
        case .joinTable:
            guard let join = source.joinTable(of: relationship.key) else { return nil }
            let side = join.side(of: relationship.key)
            let opposite = join.isSelfInverse
                ? nil : join.side(of: join.relationship == relationship.key ? join.inverse : join.relationship).order
            return RawLinks(
                from: "FROM \(naming.name(join.name)) l", owner: column(side.owner),
                destination: column(side.destination), order: side.order.map(column), inverseOrder: opposite.map(column))
        case .toOne:
            guard let table = source.table(ofEntity: relationship.owner),
                let key = source.column(.toOne(relationship.key))
            else { return nil }
            return RawLinks(
                from: "FROM \(naming.name(table.name)) l", owner: "l.Z_PK", destination: column(key.name), order: nil,
                inverseOrder: source.column(.toOneOrder(relationship.key)).map { column($0.name) },
                conditions: ["\(column(key.name)) IS NOT NULL"])
        case .inverseToOne:
            guard let inverse = relationship.inverse, let table = source.table(ofEntity: relationship.destination),
                let key = source.column(.toOne(inverse.key))
            else { return nil }
            return RawLinks(
                from: "FROM \(naming.name(table.name)) l", owner: column(key.name), destination: "l.Z_PK",
                order: source.column(.toOneOrder(inverse.key)).map { column($0.name) }, inverseOrder: nil,
                conditions: ["\(column(key.name)) IS NOT NULL"])
        case .unidirectional:
            guard let table = source.table(ofEntity: relationship.destination),
                let key = source.column(.unidirectional(relationship.key))
            else { return nil }
            return RawLinks(
                from: "FROM \(naming.name(table.name)) l", owner: column(key.name), destination: "l.Z_PK",
                order: source.column(.unidirectionalOrder(relationship.key)).map { column($0.name) }, inverseOrder: nil,
                conditions: ["\(column(key.name)) IS NOT NULL"])
        }
    }
}
