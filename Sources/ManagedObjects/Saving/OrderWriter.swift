import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The order keys that a save changes in ordered relationships.
final class OrderWriter {
    /// A link, identified by its owner's relationship and both ends.
    struct Link: Hashable {
        let relationship: PropertyKey
        let owner: Int64
        let destination: Int64
    }

    private let connection: StoreConnection
    private let rows: SavedRows
    /// The keys of links that are new, or have moved.
    private var orders: [Link: Int64] = [:]
    /// Links in key columns whose rows are not written otherwise.
    private var rest: [Link: (relationship: ResolvedRelationship, isWritten: Bool)] = [:]

    init(_ connection: StoreConnection, _ rows: SavedRows) throws {
        self.connection = connection
        self.rows = rows
    }

    /// Assigns the order keys of each ordered relationship that has changed.
    func assign(_ objects: [ManagedObject]) throws {
        for object in objects {
            guard let state = object.state else { continue }
            for (slot, links) in state.toManys.entries {
                let relationship = object.shape.toManys[slot].relationship
                guard links.isChanged, relationship.isOrdered, relationship.isStored,
                    let place = LinkPlace(relationship, layout: connection.layout), place.order != nil
                else { continue }
                try assign(object, slot, links, place)
            }
        }
    }

    private func assign(_ object: ManagedObject, _ slot: Int, _ links: ToManyState, _ place: LinkPlace) throws {
        let relationship = object.shape.toManys[slot].relationship
        let isNew = object.isInserted
        let owner = rows.key(of: object)
        var assigned: [ObjectKey: Int64] = [:]
        if isNew || links.base != nil {
            let old = Dictionary(
                (links.base ?? []).map { ($0.key, $0.order) }, uniquingKeysWith: { first, _ in first })
            let keys = links.keys
            let kept = links.removed
            for (key, order) in zip(keys, OrderAssignment.assign(keys.map { kept.contains($0) ? nil : old[$0] }))
            where old[key] != order || kept.contains(key) {
                assigned[key] = order
            }
        } else {
            var last = try lastOrder(of: owner.key, place)
            for key in links.added.keys {
                let (next, overflows) = last.addingReportingOverflow(OrderAssignment.step)
                guard !overflows else {
                    throw StoreError(.corrupt("an order key is too large"), path: connection.store.path)
                }
                assigned[key] = next
                last = next
            }
        }
        for (key, order) in assigned {
            let link = Link(relationship: relationship.key, owner: owner.key, destination: rows.key(key).key)
            orders[link] = order
            if !links.added.contains(key) || place.kind == .foreignKey { rest[link] = (relationship, false) }
        }
        rows.note(assigned, of: object, slot)
    }

    private func lastOrder(of owner: Int64, _ place: LinkPlace) throws(SQLiteError) -> Int64 {
        try connection.connection.value(
            "SELECT max(\(place.order ?? "NULL")) FROM main.\(place.table) WHERE \(place.owner) = ?", [.integer(owner)]
        ).integer ?? OrderAssignment.before
    }

    /// Returns the order key of an object in the relationship that is the inverse of its to-one relationship; the
    /// caller writes it.
    func order(of object: ManagedObject, _ slot: Int) -> Int64? {
        let toOne = object.shape.toOnes[slot]
        let key: PropertyKey?
        switch toOne.inverse {
        case .none: key = nil
        case .owner(let owner): key = owner
        case .property: key = toOne.isOwner ? toOne.relationship.key : toOne.relationship.inverse?.key
        }
        guard let key, let owner = (try? object.toOneKey(slot)) ?? nil else { return nil }
        let link = Link(
            relationship: key, owner: rows.key(owner).key, destination: rows.key(of: object).key)
        guard let order = orders[link] else { return nil }
        rest[link]?.isWritten = true
        return order
    }

    /// Returns the order key of a destination, for a row of a join table; the caller writes it.
    func order(_ link: Link) -> Int64? { orders[link] }

    /// Writes the order keys of links that have only moved.
    func writeRest() throws(SQLiteError) {
        for (link, state) in rest.sorted(by: { ($0.key.owner, $0.key.destination) < ($1.key.owner, $1.key.destination) }
        )
        where !state.isWritten {
            guard let place = LinkPlace(state.relationship, layout: connection.layout), let column = place.order,
                let order = orders[link]
            else { continue }
            let raises = place.kind == .foreignKey ? ", \(ObjectVersion.raised())" : ""
            let statement = try connection.statement(
                "UPDATE main.\(place.table) SET \(column) = ?\(raises) WHERE \(place.owner) = ? "
                    + "AND \(place.destination) = ?")
            try statement.bind([.integer(order), .integer(link.owner), .integer(link.destination)])
            try statement.run()
        }
    }
}
