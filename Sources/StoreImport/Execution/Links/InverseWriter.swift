import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Keeps the other side of a to-one relationship right: the key of a one-to-one, the place in an ordered to-many.
final class InverseWriter {
    /// What following a to-one changed beside it.
    struct Followed {
        /// The objects that led to its destination before.
        var losers: [Int64] = []
        /// What its own row led to, 0 for nothing; nil if that was the destination already.
        var formerOwn: Int64?
        /// Other objects that led back to its owner.
        var formerDestinations: [Int64] = []
        /// What its destination led back to before, 0 for nothing; nil if it leads there as before, or if it is not asked for.
        var formerOwner: Int64?
    }

    /// The statements of a one-to-one relationship.
    private struct Exclusive {
        let findDestinations: Statement
        let clearDestinations: Statement
        let findOwners: Statement
        let clearOwners: Statement
        let findInverse: Statement
        let setInverse: Statement
        let findOwn: Statement
        let setOwn: Statement
    }

    private let exclusive: Exclusive?
    /// Whether both sides are one relationship.
    let isSymmetric: Bool
    /// Whether it is asked what destinations led back to before.
    var tellsFormerOwner = false
    /// The objects of an ordered to-many; nil for other relationships.
    let arrivals: OrderedArrivals?
    private let hasEntity: Bool
    /// The owners' table and the column of their key, in quotes.
    let table: String
    let key: String
    /// The column of the destination's entity; nil if there is none.
    let entityColumn: String?
    private let ownColumns: [String]
    /// The same of the other side, with all that may change there; nil if it is not a one-to-one relationship.
    let other: (table: String, key: String, columns: [String])?
    let connection: Connection

    /// Whether the other side of a to-one is a to-one that the store keeps, too.
    static func isOneToOne(_ relationship: ResolvedRelationship, layout: StoreLayout) -> Bool {
        guard relationship.storage == .toOne, let inverse = relationship.inverse else { return false }
        return !inverse.isToMany && !inverse.isTransient && layout.table(ofEntity: inverse.owner) != nil
            && layout.column(.toOne(inverse.key)) != nil
    }

    /// nil if the other side keeps nothing. Indexes on the key columns are made where there are none.
    @_optimize(size)
    init?(
        _ relationship: ResolvedRelationship, connection: Connection, layout: StoreLayout, indexes: IndexKeeper,
        arrivals: (_ table: String, _ order: String, _ key: String) throws(SQLiteError) -> OrderedArrivals
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
        entityColumn = layout.column(.toOneEntity(relationship.key)).map { name($0.name) }
        let orderColumn = layout.column(.toOneOrder(relationship.key)).map { name($0.name) }
        ownColumns = [self.key] + [entityColumn].compactMap(\.self) + ["Z_OPT"]
        if !inverse.isToMany, !inverse.isTransient,
            let otherTable = layout.table(ofEntity: inverse.owner)?.name,
            let otherKey = layout.column(.toOne(inverse.key))?.name
        {
            try indexes.require([key], of: table)
            try indexes.require([otherKey], of: otherTable)
            let ownEntity = entityColumn.map { ", \($0) = NULL" } ?? ""
            let otherEntity = layout.column(.toOneEntity(inverse.key))?.name
            let noEntity = otherEntity.map { ", \(name($0)) = NULL" } ?? ""
            let formerDestinations = "WHERE \(name(otherKey)) = ?1 AND Z_PK IS NOT ?2"
            let losers = "WHERE \(name(key)) = ?2 AND Z_PK <> ?1"
            let entityOfDestination = entityColumn.map {
                ", \($0) = (SELECT d.Z_ENT FROM \(name(otherTable)) AS d WHERE d.Z_PK = ?2)"
            }
            exclusive = Exclusive(
                findDestinations: try connection.prepare(
                    "SELECT Z_PK FROM \(name(otherTable)) \(formerDestinations)", persistent: true),
                clearDestinations: try connection.prepare(
                    "UPDATE \(name(otherTable)) SET \(name(otherKey)) = NULL\(noEntity), \(touch) \(formerDestinations)",
                    persistent: true),
                findOwners: try connection.prepare("SELECT Z_PK FROM \(name(table)) \(losers)", persistent: true),
                clearOwners: try connection.prepare(
                    "UPDATE \(name(table)) SET \(name(key)) = NULL\(ownEntity), \(touch) \(losers)", persistent: true),
                findInverse: try connection.prepare(
                    "SELECT \(name(otherKey)) FROM \(name(otherTable)) WHERE Z_PK = ?1", persistent: true),
                setInverse: try connection.prepare(
                    "UPDATE \(name(otherTable)) SET \(name(otherKey)) = ?1"
                        + (otherEntity.map { ", \(name($0)) = ?3" } ?? "")
                        + ", \(touch) WHERE Z_PK = ?2 AND \(name(otherKey)) IS NOT ?1", persistent: true),
                findOwn: try connection.prepare(
                    "SELECT \(name(key)) FROM \(name(table)) WHERE Z_PK = ?1", persistent: true),
                setOwn: try connection.prepare(
                    "UPDATE \(name(table)) SET \(name(key)) = ?2\(entityOfDestination ?? "") "
                        + "WHERE Z_PK = ?1 AND \(name(key)) IS NOT ?2", persistent: true))
            hasEntity = otherEntity != nil
            other = (name(otherTable), name(otherKey), [otherKey, otherEntity].compactMap { $0.map(name) } + ["Z_OPT"])
            self.arrivals = nil
        } else if inverse.isToMany, inverse.isOrdered, let order = orderColumn {
            self.arrivals = try arrivals(name(table), order, name(key))
            exclusive = nil
            hasEntity = false
            other = nil
        } else {
            return nil
        }
    }

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

    /// Whether the other side has a key, which leads to one object.
    var isOneToOne: Bool { exclusive != nil }

    /// Follows a to-one that was written with its object; a destination of 0 means no link.
    ///
    /// - Parameter record: the record that says so.
    func follow(owner: KeyIndex.Target, destination: Int64, record: Int64) throws(SQLiteError) -> Followed {
        var followed = Followed()
        let (owner, entity) = (owner.primaryKey, owner.entity)
        if let arrivals, destination != 0 { try arrivals.note(owner, of: destination, record: record) }
        if let exclusive {
            followed.formerDestinations = try keys(exclusive.findDestinations, owner, destination)
            if !followed.formerDestinations.isEmpty { try run(exclusive.clearDestinations, owner, destination) }
            // Another record of the batch may have written the link of this one's object, or taken it, whose row was written
            // before.
            let own = try key(exclusive.findOwn, owner)
            if own != destination {
                try exclusive.setOwn.bindInteger(owner, at: 1)
                try exclusive.setOwn.bind(destination == 0 ? .null : .integer(destination), at: 2)
                try exclusive.setOwn.run()
                followed.formerOwn = own
            }
            guard destination != 0 else { return followed }
            followed.losers = try keys(exclusive.findOwners, owner, destination)
            if !followed.losers.isEmpty { try run(exclusive.clearOwners, owner, destination) }
            let former = tellsFormerOwner ? try key(exclusive.findInverse, destination) : nil
            if hasEntity { try exclusive.setInverse.bindInteger(entity, at: 3) }
            try run(exclusive.setInverse, owner, destination)
            if connection.changes > 0 { followed.formerOwner = former }
        }
        return followed
    }

    private func run(_ statement: Statement, _ owner: Int64, _ destination: Int64) throws(SQLiteError) {
        try statement.bindInteger(owner, at: 1)
        try statement.bindInteger(destination, at: 2)
        try statement.run()
    }

    private func keys(
        _ statement: Statement, _ owner: Int64, _ destination: Int64
    ) throws(SQLiteError) -> [Int64] {
        try statement.bindInteger(owner, at: 1)
        try statement.bindInteger(destination, at: 2)
        defer { statement.reset() }
        var found: [Int64] = []
        while try statement.step() { found.append(statement.integer(0)) }
        return found
    }

    /// The key that a statement finds of an object; 0 for none.
    private func key(_ statement: Statement, _ object: Int64) throws(SQLiteError) -> Int64 {
        try statement.bindInteger(object, at: 1)
        defer { statement.reset() }
        return try statement.step() && !statement.isNull(0) ? statement.integer(0) : 0
    }
}
