import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The writer of the other side of a to-one relationship: the key in the destination's row if the relationship is
/// one-to-one, or the position of the object if the inverse is an ordered to-many relationship.
final class InverseWriter {
    /// The links that `follow` changed, apart from the new one.
    struct Followed {
        /// The other objects that led to the destination before.
        var losers: [Int64] = []
        /// The destination in the owner's own row before, 0 if there was none; nil if it already was the new
        /// destination.
        var formerOwn: Int64?
        /// Other objects that led back to the owner.
        var formerDestinations: [Int64] = []
        /// The owner to which the destination led back before, 0 if there was none; nil if that has not changed, or if
        /// `tellsFormerOwner` is false.
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
    /// Whether the relationship is its own inverse.
    let isSymmetric: Bool
    /// Whether `follow` finds out to which owner the destination led back before.
    var tellsFormerOwner = false
    /// The objects that get positions in the ordered to-many inverse; nil for other relationships.
    let arrivals: OrderedArrivals?
    private let hasEntity: Bool
    /// The owners' table, and its column with the key of the destination, both in quotes.
    let table: String
    let key: String
    /// The column with the entity of the destination, in quotes; nil if there is no such column.
    let entityColumn: String?
    private let ownColumns: [String]
    /// The destinations' table, its column with the key of the owner, and all columns that may change in it, in quotes;
    /// nil if the relationship is not one-to-one.
    let other: (table: String, key: String, columns: [String])?
    let connection: Connection

    /// Returns whether a to-one relationship has an inverse that is to-one as well, and that the store keeps.
    static func isOneToOne(_ relationship: ResolvedRelationship, layout: StoreLayout) -> Bool {
        guard relationship.storage == .toOne, let inverse = relationship.inverse else { return false }
        return !inverse.isToMany && !inverse.isTransient && layout.table(ofEntity: inverse.owner) != nil
            && layout.column(.toOne(inverse.key)) != nil
    }

    /// Creates a writer; nil if the store keeps nothing for the other side. For a one-to-one relationship, it also
    /// creates missing indexes on the key columns.
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

    /// Returns the rows that `follow` may change, with the columns that it may change in them.
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

    /// Whether the relationship is one-to-one.
    var isOneToOne: Bool { exclusive != nil }

    /// Updates the other side of a to-one relationship that was written with its object.
    ///
    /// - Parameters:
    ///   - owner: the object that has the relationship.
    ///   - destination: the primary key of the destination; 0 if the relationship is empty.
    ///   - record: the number of the record that sets the relationship.
    func follow(owner: KeyIndex.Target, destination: Int64, record: Int64) throws(SQLiteError) -> Followed {
        var followed = Followed()
        let (owner, entity) = (owner.primaryKey, owner.entity)
        if let arrivals, destination != 0 { try arrivals.note(owner, of: destination, record: record) }
        if let exclusive {
            followed.formerDestinations = try keys(exclusive.findDestinations, owner, destination)
            if !followed.formerDestinations.isEmpty { try run(exclusive.clearDestinations, owner, destination) }
            // The row of the owner was written earlier. Since then, another record of the batch may have set its link,
            // or taken its destination.
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

    /// Takes the destination of a one-to-one relationship from the objects that lead to it, before it is written with
    /// its new owner. A uniqueness constraint that contains the relationship would otherwise refuse the link.
    func release(owner: KeyIndex.Target, destination: Int64) throws(SQLiteError) -> Followed {
        var followed = Followed()
        guard let exclusive else { return followed }
        followed.losers = try keys(exclusive.findOwners, owner.primaryKey, destination)
        if !followed.losers.isEmpty { try run(exclusive.clearOwners, owner.primaryKey, destination) }
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

    /// Returns the key that a statement finds for an object; 0 if there is none.
    private func key(_ statement: Statement, _ object: Int64) throws(SQLiteError) -> Int64 {
        try statement.bindInteger(object, at: 1)
        defer { statement.reset() }
        return try statement.step() && !statement.isNull(0) ? statement.integer(0) : 0
    }
}
