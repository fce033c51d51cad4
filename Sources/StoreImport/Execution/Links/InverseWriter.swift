import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Keeps the other side of a to-one relationship right: the key of a one-to-one, the order of an ordered to-many.
final class InverseWriter {
    private let clearDestinations: Statement?
    private let clearOwners: Statement?
    private let setInverse: Statement?
    private let setOwn: Statement?
    private let order: OrderKeyAllocator?
    private let setOrder: Statement?
    private let hasEntity: Bool
    private let table: String
    private let key: String
    private let ownColumns: [String]
    private let other: (table: String, key: String, columns: [String])?
    private let connection: Connection

    /// nil if the other side keeps nothing. Indexes on the key columns are made where there are none.
    init?(
        _ relationship: ResolvedRelationship, connection: Connection, layout: StoreLayout, indexes: IndexKeeper,
        orderKeys: (_ table: String, _ order: String, _ key: String) throws(SQLiteError) -> OrderKeyAllocator
    ) throws(SQLiteError) {
        guard relationship.storage == .toOne, let inverse = relationship.inverse,
            let table = layout.table(ofEntity: relationship.owner)?.name,
            let key = layout.column(.toOne(relationship.key))?.name
        else { return nil }
        func name(_ text: String) -> String { SQLiteIdentifier.quoted(text) }
        let touch = ObjectVersion.raised()
        isSymmetric = inverse.key == relationship.key
        self.connection = connection
        self.table = name(table)
        self.key = name(key)
        ownColumns =
            [
                layout.column(.toOne(relationship.key)), layout.column(.toOneEntity(relationship.key)),
                layout.column(.toOneOrder(relationship.key)),
            ].compactMap { $0.map { name($0.name) } } + ["Z_OPT"]
        if !inverse.isToMany, !inverse.isTransient,
            let otherTable = layout.table(ofEntity: inverse.owner)?.name,
            let otherKey = layout.column(.toOne(inverse.key))?.name
        {
            try indexes.require([key], of: table)
            try indexes.require([otherKey], of: otherTable)
            let ownEntity = layout.column(.toOneEntity(relationship.key)).map { ", \(name($0.name)) = NULL" } ?? ""
            let otherEntity = layout.column(.toOneEntity(inverse.key))?.name
            let noEntity = otherEntity.map { ", \(name($0)) = NULL" } ?? ""
            clearDestinations = try connection.prepare(
                "UPDATE \(name(otherTable)) SET \(name(otherKey)) = NULL\(noEntity), \(touch) "
                    + "WHERE \(name(otherKey)) = ?1 AND Z_PK IS NOT ?2", persistent: true)
            clearOwners = try connection.prepare(
                "UPDATE \(name(table)) SET \(name(key)) = NULL\(ownEntity), \(touch) "
                    + "WHERE \(name(key)) = ?2 AND Z_PK <> ?1", persistent: true)
            setInverse = try connection.prepare(
                "UPDATE \(name(otherTable)) SET \(name(otherKey)) = ?1"
                    + (otherEntity.map { ", \(name($0)) = ?3" } ?? "")
                    + ", \(touch) WHERE Z_PK = ?2 AND \(name(otherKey)) IS NOT ?1", persistent: true)
            let entityOfDestination = layout.column(.toOneEntity(relationship.key)).map {
                ", \(name($0.name)) = (SELECT d.Z_ENT FROM \(name(otherTable)) AS d WHERE d.Z_PK = ?2)"
            }
            setOwn = try connection.prepare(
                "UPDATE \(name(table)) SET \(name(key)) = ?2\(entityOfDestination ?? "") "
                    + "WHERE Z_PK = ?1 AND \(name(key)) IS NOT ?2", persistent: true)
            hasEntity = otherEntity != nil
            other = (name(otherTable), name(otherKey), [otherKey, otherEntity].compactMap { $0.map(name) } + ["Z_OPT"])
            order = nil
            setOrder = nil
        } else if inverse.isToMany, inverse.isOrdered, let order = layout.column(.toOneOrder(relationship.key))?.name {
            self.order = try orderKeys(name(table), name(order), name(key))
            clearDestinations = nil
            clearOwners = nil
            setInverse = nil
            setOwn = nil
            hasEntity = false
            other = nil
            setOrder = try connection.prepare(
                "UPDATE \(name(table)) SET \(name(order)) = ?1 WHERE Z_PK = ?2 AND (?1 IS NULL OR \(name(order)) IS NULL "
                    + "OR EXISTS (SELECT 1 FROM \(name(table)) AS other WHERE other.\(name(key)) = ?3 "
                    + "AND other.\(name(order)) = \(name(table)).\(name(order)) AND other.Z_PK <> ?2))",
                persistent: true)
        } else {
            return nil
        }
    }

    /// Whether the other side has a key, which leads to one object: an object takes it from another one.
    var takesLinks: Bool { other != nil }

    /// Whether both sides are one relationship.
    let isSymmetric: Bool

    /// The rows that following a to-one may change, with their columns.
    func affectedRows(
        owner: Int64, destination: Int64
    ) throws(SQLiteError) -> [(table: String, key: Int64, columns: [String])] {
        var rows = [(table, owner, ownColumns)]
        guard let other else { return rows }
        for row in try connection.rows("SELECT Z_PK FROM \(other.table) WHERE \(other.key) = ?", [.integer(owner)]) {
            if let key = row[0].integer, key != destination { rows.append((other.table, key, other.columns)) }
        }
        guard destination != 0 else { return rows }
        for row in try connection.rows("SELECT Z_PK FROM \(table) WHERE \(key) = ?", [.integer(destination)]) {
            if let key = row[0].integer, key != owner { rows.append((table, key, ownColumns)) }
        }
        rows.append((other.table, destination, other.columns))
        return rows
    }

    /// Follows a to-one that was written with its object; a destination of 0 means no link.
    func follow(owner: Int64, entity: Int64, destination: Int64) throws(SQLiteError) {
        if let clearDestinations, let clearOwners, let setInverse, let setOwn {
            try clearDestinations.bindInteger(owner, at: 1)
            try clearDestinations.bindInteger(destination, at: 2)
            try clearDestinations.run()
            // The rows of a batch are written before any of its to-ones is followed. Another record may have taken the
            // link from this object meanwhile, or an earlier one with the same key have given it another.
            try setOwn.bindInteger(owner, at: 1)
            if destination == 0 { try setOwn.bindNull(at: 2) } else { try setOwn.bindInteger(destination, at: 2) }
            try setOwn.run()
            guard destination != 0 else { return }
            try clearOwners.bindInteger(owner, at: 1)
            try clearOwners.bindInteger(destination, at: 2)
            try clearOwners.run()
            try setInverse.bindInteger(owner, at: 1)
            try setInverse.bindInteger(destination, at: 2)
            if hasEntity { try setInverse.bindInteger(entity, at: 3) }
            try setInverse.run()
        }
        if let order, let setOrder {
            let key = destination == 0 ? nil : try order.next(of: destination)
            if let key { try setOrder.bindInteger(key, at: 1) } else { try setOrder.bindNull(at: 1) }
            try setOrder.bindInteger(owner, at: 2)
            try setOrder.bindInteger(destination, at: 3)
            try setOrder.run()
            guard let key else { return }
            // The object may keep a key of its own, which is beyond all that are known.
            if connection.changes > 0 { order.use(key, of: destination) } else { order.forget(destination) }
        }
    }
}
