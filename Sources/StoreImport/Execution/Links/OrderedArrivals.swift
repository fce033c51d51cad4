import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The objects that name their owner by a to-one relationship whose inverse is ordered. They get their positions when
/// all records are read: after the objects that the owner had before, in the order of the records that first named the
/// owner.
///
/// The order thus does not depend on which owners existed when a record was read. The notes are kept on disk.
final class OrderedArrivals {
    private let connection: Connection
    /// The number of the relationship.
    private let link: Int64
    /// The table of the objects; this name and the following ones are in quotes.
    private let table: String
    private let key: String
    private let order: String
    private let schema: String
    private let insert: Statement
    private let keepPlace: Statement
    private let leavePlace: Statement
    /// Whether an object that leaves an owner gets its position back if it belongs to that owner again in the end.
    /// False if lists of the owner determine positions, too.
    var keepsPlaces = true

    /// - Parameters:
    ///   - link: the number of the relationship.
    ///   - table: the table of the objects, in quotes.
    ///   - key: the column of the owner's primary key, in quotes.
    ///   - order: the column of the order key among the owner's objects, in quotes.
    ///   - connection: the connection to the store.
    ///   - schema: the schema of the working tables, `temp` or `main`.
    init(
        of link: Int64, table: String, key: String, order: String, connection: Connection, schema: String
    ) throws(SQLiteError) {
        self.connection = connection
        self.link = link
        self.table = table
        self.key = key
        self.order = order
        self.schema = schema
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(schema).ferry_arrivals (link INTEGER, object INTEGER, owner INTEGER, \
            record INTEGER, PRIMARY KEY (link, object, owner, record)) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS \(schema).ferry_places (link INTEGER, object INTEGER, owner INTEGER, place INTEGER, \
            PRIMARY KEY (link, object)) WITHOUT ROWID;
            """)
        insert = try connection.prepare(
            "INSERT OR IGNORE INTO \(schema).ferry_arrivals VALUES (\(link), ?1, ?2, ?3)", persistent: true)
        keepPlace = try connection.prepare(
            "INSERT OR IGNORE INTO \(schema).ferry_places SELECT \(link), Z_PK, ?2, \(order) FROM \(table) "
                + "WHERE Z_PK = ?1 AND \(order) IS NOT NULL", persistent: true)
        leavePlace = try connection.prepare(
            "UPDATE \(table) SET \(order) = NULL WHERE Z_PK = ?1 AND \(order) IS NOT NULL", persistent: true)
    }

    /// Notes that a record names the owner of an object.
    func note(_ object: Int64, of owner: Int64, record: Int64) throws(SQLiteError) {
        try insert.bindInteger(object, at: 1)
        try insert.bindInteger(owner, at: 2)
        try insert.bindInteger(record, at: 3)
        try insert.run()
    }

    /// Removes the position of an object that has left an owner. With `keepsPlaces`, the object gets it back if it
    /// belongs to the owner again in the end.
    func leave(_ object: Int64, from owner: Int64) throws(SQLiteError) {
        if keepsPlaces {
            try keepPlace.bindInteger(object, at: 1)
            try keepPlace.bindInteger(owner, at: 2)
            try keepPlace.run()
        }
        try leavePlace.bindInteger(object, at: 1)
        try leavePlace.run()
    }

    /// Gives all objects without a position one.
    ///
    /// - Parameters:
    ///   - keys: the order keys of the relationship.
    ///   - taken: the table of the revoked records; nil if there are none.
    func settle(_ keys: OrderKeyAllocator, without taken: String?) throws(SQLiteError) {
        if let taken {
            try connection.execute(
                "DELETE FROM \(schema).ferry_arrivals WHERE record IN (SELECT record FROM \(taken))")
        }
        let first = try connection.value("SELECT 1 FROM \(schema).ferry_places WHERE link = \(link) LIMIT 1")
        let hasPlaces = first != .null
        if hasPlaces {
            let place = "FROM \(schema).ferry_places AS p WHERE p.link = \(link)"
            try connection.execute(
                "UPDATE \(table) SET \(order) = (SELECT p.place \(place) AND p.object = Z_PK) "
                    + "WHERE Z_PK IN (SELECT p.object \(place)) AND \(order) IS NULL "
                    + "AND \(key) = (SELECT p.owner \(place) AND p.object = Z_PK)")
        }
        try connection.execute(
            "CREATE TEMP TABLE IF NOT EXISTS ferry_order (object INTEGER PRIMARY KEY, place INTEGER)")
        keys.forgetAll()
        let insert = try connection.prepare("INSERT INTO temp.ferry_order VALUES (?1, ?2)", persistent: true)
        try forEachArrival(hasPlaces: hasPlaces) { object, owner throws(SQLiteError) in
            let place = try keys.next(of: owner)
            keys.use(place, of: owner)
            try insert.bindInteger(object, at: 1)
            try insert.bindInteger(place, at: 2)
            try insert.run()
        }
        // Rows are updated in the order of the table, in which the objects of different owners may be mixed.
        let update = try connection.prepare("UPDATE \(table) SET \(order) = ?2 WHERE Z_PK = ?1", persistent: true)
        let statement = try connection.prepare("SELECT object, place FROM temp.ferry_order ORDER BY object")
        while try statement.step() {
            try update.bindInteger(statement.integer(0), at: 1)
            try update.bindInteger(statement.integer(1), at: 2)
            try update.run()
        }
        statement.reset()
        try connection.execute("DELETE FROM temp.ferry_order")
    }

    /// Calls a closure with all objects that have an owner and no position yet, owner by owner.
    private func forEachArrival(
        hasPlaces: Bool, _ body: (_ object: Int64, _ owner: Int64) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        let arrivals = "SELECT object FROM \(schema).ferry_arrivals WHERE link = \(link)"
        let moved = hasPlaces ? " UNION SELECT object FROM \(schema).ferry_places WHERE link = \(link)" : ""
        let statement = try connection.prepare(
            "SELECT o.object, t.\(key), (SELECT min(a.record) FROM \(schema).ferry_arrivals AS a WHERE a.link = \(link) "
                + "AND a.object = o.object AND a.owner = t.\(key)) AS record "
                + "FROM (\(hasPlaces ? arrivals : arrivals + " GROUP BY object")\(moved)) AS o "
                + "JOIN \(table) AS t ON t.Z_PK = o.object WHERE t.\(key) IS NOT NULL AND t.\(order) IS NULL "
                + "ORDER BY t.\(key), record IS NULL, record, o.object")
        while try statement.step() { try body(statement.integer(0), statement.integer(1)) }
    }

    func close() throws(SQLiteError) {
        try connection.execute(
            "DROP TABLE IF EXISTS \(schema).ferry_arrivals; DROP TABLE IF EXISTS \(schema).ferry_places; "
                + "DROP TABLE IF EXISTS temp.ferry_order")
    }
}
