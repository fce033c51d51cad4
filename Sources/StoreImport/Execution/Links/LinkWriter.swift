import PersistentStores
import SQLiteAccess

/// Writes the links of one relationship, wherever the store keeps them, once and in order.
final class LinkWriter {
    let place: LinkPlace
    private let connection: Connection
    private let write: Statement
    private let highestOrder: Statement?
    private let highestInverseOrder: Statement?
    private let existing: Statement
    private var findLink: Statement?

    /// Order keys begin at 2048 and go up by 1024 (docs/format/sqlite-store.md#order-keys).
    static let firstOrderKey: Int64 = 2048
    static let orderKeyStep: Int64 = 1024

    init(_ place: LinkPlace, connection: Connection) throws(SQLiteError) {
        self.place = place
        self.connection = connection
        let (table, owner, destination) = (place.table, place.owner, place.destination)
        let touch = "Z_OPT = ifnull(Z_OPT, 0) + 1"
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
        func highest(_ order: String, of key: String) throws(SQLiteError) -> Statement {
            try connection.prepare("SELECT max(\(order)) FROM \(table) WHERE \(key) = ?1", persistent: true)
        }
        highestOrder = try place.order.map { order throws(SQLiteError) in try highest(order, of: owner) }
        highestInverseOrder = try place.inverseOrder.map { order throws(SQLiteError) in
            try highest(order, of: destination)
        }
        existing = try connection.prepare(
            "SELECT 1 FROM \(table) WHERE \(owner) = ?1 AND \(destination) IS NOT NULL LIMIT 1", persistent: true)
    }

    /// Whether two objects are linked.
    func isLinked(owner: Int64, destination: Int64) throws(SQLiteError) -> Bool {
        let statement: Statement
        if let known = findLink {
            statement = known
        } else {
            statement = try connection.prepare(
                "SELECT 1 FROM \(place.table) WHERE \(place.owner) = ?1 AND \(place.destination) = ?2", persistent: true
            )
            findLink = statement
        }
        try statement.bindInteger(owner, at: 1)
        try statement.bindInteger(destination, at: 2)
        defer { statement.reset() }
        return try statement.step()
    }

    /// Whether an object has links already.
    func hasLinks(_ owner: Int64) throws(SQLiteError) -> Bool {
        try existing.bindInteger(owner, at: 1)
        defer { existing.reset() }
        return try existing.step()
    }

    /// Adds a link; one that is there stays as it is.
    ///
    /// - Returns: whether it was added.
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
            // The number of what the key leads to: the destination in the owner's row, the owner in the destination's.
            try write.bindInteger(place.kind == .toOne ? destination.entity : owner.entity, at: 3)
        }
        if let highestOrder { try write.bindInteger(try next(highestOrder, owner.primaryKey), at: 4) }
        if let highestInverseOrder {
            try write.bindInteger(try next(highestInverseOrder, destination.primaryKey), at: 5)
        }
        try write.run()
        return connection.changes > 0
    }

    private func next(_ highest: Statement, _ key: Int64) throws(SQLiteError) -> Int64 {
        try highest.bindInteger(key, at: 1)
        defer { highest.reset() }
        guard try highest.step(), !highest.isNull(0) else { return Self.firstOrderKey }
        return highest.integer(0) + Self.orderKeyStep
    }
}
