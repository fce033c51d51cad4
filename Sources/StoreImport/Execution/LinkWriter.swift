import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Writes the links of one relationship, wherever the store keeps them, once and in order.
final class LinkWriter {
    private let connection: Connection
    private let kind: Kind
    /// Links that were not there before, and links that were and are no more.
    private(set) var added: Int64 = 0
    private(set) var removed: Int64 = 0
    /// Where the links of the records replace those that were there: notes a link; nil otherwise.
    private var note: Statement?
    private var removeOthers: String?

    private enum Kind {
        /// The owner's key column: set for the owner.
        case toOne(update: Statement)
        /// A key column in the destination's table, with its entity number and order.
        case foreignKey(update: Statement, hasEntity: Bool, maximum: Statement?)
        case join(insert: Statement, maximum: Statement?, inverseMaximum: Statement?)
    }

    /// Order keys begin at 2048 and go up by 1024 (SPEC B.7).
    private static let firstOrderKey: Int64 = 2048
    private static let orderKeyStep: Int64 = 1024

    /// - Parameter replaces: whether the links that were there before go, where the records do not name them.
    init?(
        _ relationship: ResolvedRelationship, replaces: Bool, connection: Connection, layout: StoreLayout
    ) throws(SQLiteError) {
        self.connection = connection
        /// Table, column of the owner, column of the destination, and what a link's end sets to NULL; nil for a row of its own.
        var place: (table: String, owner: String, destination: String, cleared: [String]?)?
        func name(_ text: String) -> String { SQLiteIdentifier.quoted(text) }
        switch relationship.storage {
        case .toOne:
            guard let table = layout.table(ofEntity: relationship.owner), let key = layout.column(.toOne(relationship.key))
            else { return nil }
            let entity = layout.column(.toOneEntity(relationship.key)).map { ", \(name($0.name)) = ?3" } ?? ""
            kind = .toOne(
                update: try connection.prepare(
                    "UPDATE \(name(table.name)) SET \(name(key.name)) = ?2\(entity), Z_OPT = ifnull(Z_OPT, 0) + 1 "
                        + "WHERE Z_PK = ?1 AND \(name(key.name)) IS NOT ?2", persistent: true))
        case .inverseToOne, .unidirectional:
            guard let table = layout.table(ofEntity: relationship.destination) else { return nil }
            let key: EntityColumn?
            let entity: EntityColumn?
            let order: EntityColumn?
            if relationship.storage == .unidirectional {
                key = layout.column(.unidirectional(relationship.key))
                entity = layout.column(.unidirectionalEntity(relationship.key))
                order = layout.column(.unidirectionalOrder(relationship.key))
            } else {
                guard let inverse = relationship.inverse else { return nil }
                key = layout.column(.toOne(inverse.key))
                entity = layout.column(.toOneEntity(inverse.key))
                order = relationship.isOrdered ? layout.column(.toOneOrder(inverse.key)) : nil
            }
            guard let key else { return nil }
            place = (
                table.name, key.name, "Z_PK", [key.name] + [entity?.name, order?.name].compactMap { $0 })
            let assignments = [entity.map { "\(name($0.name)) = ?3" }, order.map { "\(name($0.name)) = ?4" }]
                .compactMap { $0 }.map { ", " + $0 }.joined()
            kind = .foreignKey(
                update: try connection.prepare(
                    "UPDATE \(name(table.name)) SET \(name(key.name)) = ?1\(assignments), Z_OPT = ifnull(Z_OPT, 0) + 1 "
                        + "WHERE Z_PK = ?2 AND \(name(key.name)) IS NOT ?1", persistent: true),
                hasEntity: entity != nil,
                maximum: try order.map { column throws(SQLiteError) in
                    try connection.prepare(
                        "SELECT max(\(name(column.name))) FROM \(name(table.name)) WHERE \(name(key.name)) = ?1",
                        persistent: true)
                })
        case .joinTable:
            guard let join = layout.joinTable(of: relationship.key) else { return nil }
            let side = join.side(of: relationship.key)
            // A link of a relationship that is its own inverse has two owners: neither alone can end it.
            if !join.isSelfInverse { place = (join.name, side.owner, side.destination, nil) }
            let opposite = join.isSelfInverse
                ? nil : join.side(of: relationship.key == join.relationship ? join.inverse : join.relationship).order
            var columns = [side.owner, side.destination]
            if let order = side.order { columns.append(order) }
            if let opposite { columns.append(opposite) }
            let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            func maximum(_ order: String, within key: String) throws(SQLiteError) -> Statement {
                try connection.prepare(
                    "SELECT max(\(name(order))) FROM \(name(join.name)) WHERE \(name(key)) = ?1", persistent: true)
            }
            kind = .join(
                insert: try connection.prepare(
                    "INSERT OR IGNORE INTO \(name(join.name)) (\(columns.map(name).joined(separator: ", "))) VALUES (\(marks))",
                    persistent: true),
                maximum: try side.order.map { order throws(SQLiteError) in try maximum(order, within: side.owner) },
                inverseMaximum: try opposite.map { order throws(SQLiteError) in
                    try maximum(order, within: side.destination)
                })
        }
        if replaces, let place { try prepareReplacing(place) }
    }

    /// A table of the links that the records name; only where there are links that may have to go.
    private func prepareReplacing(
        _ place: (table: String, owner: String, destination: String, cleared: [String]?)
    ) throws(SQLiteError) {
        let table = SQLiteIdentifier.quoted(place.table)
        let (owner, destination) = (SQLiteIdentifier.quoted(place.owner), SQLiteIdentifier.quoted(place.destination))
        guard try connection.value("SELECT 1 FROM \(table) WHERE \(owner) IS NOT NULL LIMIT 1") != .null else { return }
        let number = try connection.value("SELECT count(*) FROM sqlite_temp_master").integer ?? 0
        let linked = "ferry_linked_\(number)"
        try connection.execute(
            "CREATE TEMP TABLE \(linked) (owner INTEGER, destination INTEGER, PRIMARY KEY (owner, destination)) WITHOUT ROWID")
        note = try connection.prepare("INSERT OR IGNORE INTO temp.\(linked) VALUES (?1, ?2)", persistent: true)
        let work = place.cleared.map { columns in
            "UPDATE \(table) SET " + columns.map { "\(SQLiteIdentifier.quoted($0)) = NULL, " }.joined()
                + "Z_OPT = ifnull(Z_OPT, 0) + 1"
        } ?? "DELETE FROM \(table)"
        removeOthers = work + " WHERE \(owner) IN (SELECT owner FROM temp.\(linked)) AND NOT EXISTS "
            + "(SELECT 1 FROM temp.\(linked) AS l WHERE l.owner = \(table).\(owner) "
            + "AND l.destination = \(table).\(destination))"
    }

    /// Ends the links that no record named, of the objects whose links some record did name.
    func finish() throws(SQLiteError) {
        guard let removeOthers else { return }
        try connection.execute(removeOthers)
        removed = connection.changes
    }

    /// Adds a link; one that is there stays as it is.
    ///
    /// - Returns: whether it was added.
    @discardableResult
    func link(owner: KeyIndex.Target, destination: KeyIndex.Target) throws(SQLiteError) -> Bool {
        if let note {
            try note.bindInteger(owner.primaryKey, at: 1)
            try note.bindInteger(destination.primaryKey, at: 2)
            try note.run()
        }
        switch kind {
        case .toOne(let update):
            try update.bindInteger(owner.primaryKey, at: 1)
            try update.bindInteger(destination.primaryKey, at: 2)
            if update.parameterCount >= 3 { try update.bindInteger(destination.entity, at: 3) }
            try update.run()
        case .foreignKey(let update, let hasEntity, let maximum):
            try update.bindInteger(owner.primaryKey, at: 1)
            try update.bindInteger(destination.primaryKey, at: 2)
            if hasEntity { try update.bindInteger(owner.entity, at: 3) }
            if let maximum { try update.bindInteger(try nextOrder(maximum, owner.primaryKey), at: 4) }
            try update.run()
        case .join(let insert, let maximum, let inverseMaximum):
            try insert.bindInteger(owner.primaryKey, at: 1)
            try insert.bindInteger(destination.primaryKey, at: 2)
            var index: Int32 = 3
            if let maximum {
                try insert.bindInteger(try nextOrder(maximum, owner.primaryKey), at: index)
                index += 1
            }
            if let inverseMaximum {
                try insert.bindInteger(try nextOrder(inverseMaximum, destination.primaryKey), at: index)
            }
            try insert.run()
        }
        let isNew = connection.changes > 0
        if isNew { added += 1 }
        return isNew
    }

    private func nextOrder(_ maximum: Statement, _ key: Int64) throws(SQLiteError) -> Int64 {
        try maximum.bindInteger(key, at: 1)
        defer { maximum.reset() }
        guard try maximum.step(), !maximum.isNull(0) else { return Self.firstOrderKey }
        return maximum.integer(0) + Self.orderKeyStep
    }
}
