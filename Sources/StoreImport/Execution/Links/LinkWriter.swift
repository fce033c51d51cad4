import PersistentStores
import SQLiteAccess

/// The writer of the links of one relationship, in the columns or the join table where the store keeps them. It writes
/// each link once, and gives new links their order keys.
final class LinkWriter {
    let place: LinkPlace
    private let connection: Connection
    private let write: Statement
    private let order: OrderKeyAllocator?
    private let inverseOrder: OrderKeyAllocator?
    private let existing: Statement
    private var findLink = LazyStatement()
    private var placeLink = LazyStatement()
    private var findDestination = LazyStatement()

    /// - Parameters:
    ///   - place: where the store keeps the links.
    ///   - connection: the connection to the store.
    ///   - order: the order keys of the destinations; nil if they are not ordered.
    ///   - inverseOrder: the order keys of the owners in a join table; nil if they are not ordered.
    init(
        _ place: LinkPlace, connection: Connection, order: OrderKeyAllocator?, inverseOrder: OrderKeyAllocator?
    ) throws(SQLiteError) {
        self.place = place
        self.connection = connection
        self.order = order
        self.inverseOrder = inverseOrder
        let (table, owner, destination) = (place.table, place.owner, place.destination)
        let touch = ObjectVersion.raised()
        switch place.kind {
        case .toOne:
            let entity = place.entity.map { ", \($0) = ?3" } ?? ""
            write = try connection.prepare(
                "UPDATE \(table) SET \(destination) = ?2\(entity), \(touch) WHERE Z_PK = ?1 AND \(destination) IS NOT ?2",
                persistent: true)
        case .foreignKey:
            let others = (place.entity.map { ", \($0) = ?3" } ?? "") + (place.order.map { ", \($0) = ?4" } ?? "")
            write = try connection.prepare(
                "UPDATE \(table) SET \(owner) = ?1\(others), \(touch) WHERE Z_PK = ?2 AND \(owner) IS NOT ?1",
                persistent: true)
        case .joinTable:
            let columns = [owner, destination] + [place.order, place.inverseOrder].compactMap { $0 }
            let marks = ["?1", "?2"] + (place.order == nil ? [] : ["?4"]) + (place.inverseOrder == nil ? [] : ["?5"])
            write = try connection.prepare(
                "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))",
                persistent: true)
        }
        existing = try connection.prepare(
            "SELECT 1 FROM \(table) WHERE \(owner) = ?1 AND \(destination) IS NOT NULL LIMIT 1", persistent: true)
    }

    /// Returns whether two objects are linked.
    func isLinked(owner: Int64, destination: Int64) throws(SQLiteError) -> Bool {
        let statement = try findLink.prepared(on: connection) {
            "SELECT 1 FROM \(place.table) WHERE \(place.owner) = ?1 AND \(place.destination) = ?2"
        }
        try statement.bindInteger(owner, at: 1)
        try statement.bindInteger(destination, at: 2)
        defer { statement.reset() }
        return try statement.step()
    }

    /// Returns the destination of an object's to-one relationship; nil if it is empty, or if this is not a to-one
    /// relationship.
    func destination(of owner: Int64) throws(SQLiteError) -> Int64? {
        guard place.kind == .toOne else { return nil }
        let statement = try findDestination.prepared(on: connection) {
            "SELECT \(place.destination) FROM \(place.table) WHERE Z_PK = ?1"
        }
        try statement.bindInteger(owner, at: 1)
        defer { statement.reset() }
        return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
    }

    /// Ends the link of a to-one relationship.
    ///
    /// - Returns: the former destination; nil if there was none.
    func unlink(owner: Int64) throws(SQLiteError) -> Int64? {
        guard let old = try destination(of: owner) else { return nil }
        let entity = place.entity.map { ", \($0) = NULL" } ?? ""
        try connection.execute(
            "UPDATE \(place.table) SET \(place.destination) = NULL\(entity), \(ObjectVersion.raised()) WHERE Z_PK = ?",
            [.integer(owner)])
        return old
    }

    /// Returns whether an object has links.
    func hasLinks(_ owner: Int64) throws(SQLiteError) -> Bool {
        try existing.bindInteger(owner, at: 1)
        defer { existing.reset() }
        return try existing.step()
    }

    /// Adds a link; an existing link stays as it is.
    ///
    /// - Returns: whether the link was added.
    @discardableResult
    func link(owner: KeyIndex.Target, destination: KeyIndex.Target) throws(SQLiteError) -> Bool {
        let isNew = try add(owner, destination)
        if place.isSymmetric, owner.primaryKey != destination.primaryKey { try add(destination, owner) }
        return isNew
    }

    @discardableResult
    private func add(_ owner: KeyIndex.Target, _ destination: KeyIndex.Target) throws(SQLiteError) -> Bool {
        try write.bindInteger(owner.primaryKey, at: 1)
        try write.bindInteger(destination.primaryKey, at: 2)
        if place.entity != nil {
            // The entity of the object that the key leads to: the destination if the key is in the owner's row, the
            // owner if it is in the destination's.
            try write.bindInteger(place.kind == .toOne ? destination.entity : owner.entity, at: 3)
        }
        let key = try order?.next(of: owner.primaryKey)
        let inverseKey = try inverseOrder?.next(of: destination.primaryKey)
        if let key { try write.bindInteger(key, at: 4) }
        if let inverseKey { try write.bindInteger(inverseKey, at: 5) }
        try write.run()
        guard connection.changes > 0 else {
            if let key, place.kind == .foreignKey { try give(key, to: destination.primaryKey, of: owner.primaryKey) }
            return false
        }
        if let key { order?.use(key, of: owner.primaryKey) }
        if let inverseKey { inverseOrder?.use(inverseKey, of: destination.primaryKey) }
        return true
    }

    /// Gives an object that is already linked its position, if it has none yet because it was linked by its to-one
    /// relationship.
    private func give(_ key: Int64, to destination: Int64, of owner: Int64) throws(SQLiteError) {
        guard let column = place.order else { return }
        let statement = try placeLink.prepared(on: connection) {
            "UPDATE \(place.table) SET \(column) = ?3 WHERE Z_PK = ?2 AND \(place.owner) = ?1 AND \(column) IS NULL"
        }
        try statement.bindInteger(owner, at: 1)
        try statement.bindInteger(destination, at: 2)
        try statement.bindInteger(key, at: 3)
        try statement.run()
        if connection.changes > 0 { order?.use(key, of: owner) }
    }
}
