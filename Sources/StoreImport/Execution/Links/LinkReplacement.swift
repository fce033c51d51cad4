import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The lists of one to-many relationship that the records of an import contain: which links each record names for an
/// object, and in which order.
///
/// Links of an existing object that its last list does not name are removed when all records are read. If several
/// records contain a list of the same object, the last one applies. The lists are kept on disk, so that memory stays
/// bounded.
final class LinkReplacement {
    private let connection: Connection
    let place: LinkPlace
    let relationship: PropertyKey
    /// Whether links that no record names may be removed.
    let replaces: Bool
    /// Whether a mapping adds links to the existing ones.
    private let adds: Bool
    /// Whether objects may also be linked to an owner by their own to-one relationship. They get positions after the
    /// objects of lists.
    var isShared = false
    /// Whether both directions of an ordered many-to-many relationship are mapped as lists, so that the list of each
    /// object keeps its own order.
    var isTwoSided = false
    private let owners: String
    private let links: String
    /// The table of the objects whose owners must be determined again, because records have been revoked.
    private let owned: String
    private let insertOwner: Statement
    private let insertLink: Statement
    private let findLast: Statement
    /// Whether a record contains a list of any object whose lists are noted.
    private var hasOwners: Bool
    private var hasRecordIndexes = false
    private var hasDestinationIndex = false
    private var findNamed = LazyStatement()

    /// The ordinal of a link that a record of the destination sets because it names its owner.
    static let toOneOrdinal: Int64 = -1

    /// - Parameters:
    ///   - place: where the store keeps the links.
    ///   - relationship: the relationship.
    ///   - replaces: false to keep the links that no record names.
    ///   - adds: whether a mapping adds links to the existing ones.
    ///   - connection: the connection to the store.
    ///   - schema: the schema of the working tables, `temp` or `main`.
    ///   - name: a part of the names of the working tables that differs for each relationship of the import.
    init(
        _ place: LinkPlace, of relationship: PropertyKey, replaces: Bool, adds: Bool, connection: Connection,
        schema: String, name: String
    ) throws(SQLiteError) {
        self.place = place
        self.relationship = relationship
        self.replaces = replaces
        self.adds = adds
        self.connection = connection
        owners = "\(schema).ferry_owners_\(name)"
        links = "\(schema).ferry_links_\(name)"
        owned = "\(schema).ferry_owned_\(name)"
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(owners) (owner INTEGER, record INTEGER, adds INTEGER, PRIMARY KEY (owner, record)) \
            WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS \(links) (owner INTEGER, destination INTEGER, record INTEGER, place, ordinal INTEGER, \
            PRIMARY KEY (owner, destination, record)) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS \(owned) (destination INTEGER PRIMARY KEY);
            """)
        // If a record contains a list and names the owner as well, the list counts.
        insertOwner = try connection.prepare(
            "INSERT INTO \(owners) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET adds = excluded.adds "
                + "WHERE adds = 2 AND excluded.adds < 2", persistent: true)
        // If a record names a link twice, its first position in a list counts, as in an ordered set that is filled in
        // order.
        insertLink = try connection.prepare(
            "INSERT INTO \(links) VALUES (?1, ?2, ?3, ?4, ?5) "
                + "ON CONFLICT DO UPDATE SET place = excluded.place, ordinal = excluded.ordinal "
                + "WHERE ordinal = \(Self.toOneOrdinal) AND excluded.ordinal <> \(Self.toOneOrdinal)",
            persistent: true)
        findLast = try connection.prepare(
            "SELECT max(record) FROM \(owners) WHERE owner = ?1 AND adds = 0", persistent: true)
        hasOwners = try connection.value("SELECT 1 FROM \(owners) LIMIT 1") != .null
    }

    var isSymmetric: Bool { place.isSymmetric }

    /// Whether lists of new objects are noted as well. They are needed if a link is in the lists of two objects, as in
    /// a relationship that is its own inverse or if both directions have lists. They are also needed if links are added
    /// to an ordered list, because the last record that names a link determines its position.
    var notesNewObjects: Bool { isSymmetric || isTwoSided || adds && place.order != nil }

    /// Notes that a record contains a list of an object.
    ///
    /// - Parameters:
    ///   - owner: the primary key of the object.
    ///   - record: the number of the record.
    ///   - adds: whether the list adds to those of other records, instead of replacing them.
    ///   - isToOne: whether the record is one of the destination and names its owner, which adds the destination to the
    ///     list.
    func note(owner: Int64, record: Int64, adds: Bool = false, isToOne: Bool = false) throws(SQLiteError) {
        hasOwners = true
        try insertOwner.bindInteger(isToOne ? 2 : adds ? 1 : 0, at: 3)
        try insertOwner.bindInteger(owner, at: 1)
        try insertOwner.bindInteger(record, at: 2)
        try insertOwner.run()
    }

    /// Returns the last record whose list replaces earlier lists of an object; nil if there is none.
    func lastRecord(of owner: Int64) throws(SQLiteError) -> Int64? {
        guard hasOwners else { return nil }
        try findLast.bindInteger(owner, at: 1)
        defer { findLast.reset() }
        return try findLast.step() && !findLast.isNull(0) ? findLast.integer(0) : nil
    }

    /// Returns the objects for which a record contains a list.
    func owners(of record: Int64) throws(SQLiteError) -> [Int64] {
        guard hasOwners else { return [] }
        try makeRecordIndexes()
        return try connection.rows("SELECT owner FROM \(owners) WHERE record = ?", [.integer(record)]).compactMap {
            $0[0].integer
        }
    }

    /// Notes a link that a record names. The links of an object are sorted by `place` (see
    /// `CompiledRelationship.place`), then by the record, then by `ordinal`, the position in the record.
    func note(
        owner: Int64, destination: Int64, record: Int64, place: SQLiteValue, ordinal: Int64
    ) throws(SQLiteError) {
        try insertLink.bindInteger(owner, at: 1)
        try insertLink.bindInteger(destination, at: 2)
        try insertLink.bindInteger(record, at: 3)
        try insertLink.bind(place, at: 4)
        try insertLink.bindInteger(ordinal, at: 5)
        try insertLink.run()
    }

    /// Removes the lists of revoked records.
    func removeRecords(of taken: RevokedRecords) throws(SQLiteError) {
        for table in [owners, links] {
            try connection.execute("DELETE FROM \(table) WHERE record IN (SELECT record FROM \(taken.table))")
        }
    }

    /// Removes the lists of a record.
    func remove(_ record: Int64) throws(SQLiteError) {
        try makeRecordIndexes()
        for table in [owners, links] {
            try connection.execute("DELETE FROM \(table) WHERE record = ?", [.integer(record)])
        }
    }

    /// Returns a query for the records that name links which no later list has ended, and for the objects at the other
    /// ends of these links.
    ///
    /// - Parameter isOwner: whether the only parameter of the query is the owner of the links; otherwise, it is their
    ///   destination.
    func namings(isOwner: Bool) throws(SQLiteError) -> String {
        if !isOwner { try makeDestinationIndex() }
        let (own, other) = isOwner ? ("owner", "destination") : ("destination", "owner")
        return "SELECT record, \(other) AS other FROM \(links) AS l WHERE \(own) = ?1 AND record >= "
            + "coalesce((SELECT max(o.record) FROM \(owners) AS o WHERE o.owner = l.owner AND o.adds = 0), 0)"
    }

    /// Returns all records whose lists name an object, in their order, with the owners of the lists.
    func allNamers(of destination: Int64) throws(SQLiteError) -> [(record: Int64, owner: Int64)] {
        try makeDestinationIndex()
        return try connection.rows(
            "SELECT record, owner FROM \(links) WHERE destination = ? ORDER BY record", [.integer(destination)]
        ).map { ($0[0].integer ?? 0, $0[1].integer ?? 0) }
    }

    /// Notes the objects that may get other owners, because a record is about to be revoked: those that the record
    /// names, and those whose links its lists end.
    func noteOwned(by record: Int64) throws(SQLiteError) {
        guard place.kind == .foreignKey else { return }
        try makeRecordIndexes()
        try connection.execute(
            "INSERT OR IGNORE INTO \(owned) SELECT destination FROM \(links) WHERE record = ?1 "
                + "OR owner IN (SELECT owner FROM \(owners) WHERE record = ?1)", [.integer(record)])
    }

    /// Returns whether a record names a link, and no later list of the owner ends it.
    ///
    /// - Parameters:
    ///   - owner: the primary key of the owner.
    ///   - destination: the primary key of the destination.
    ///   - taken: the table of the revoked records, which do not count.
    func isNamed(_ owner: Int64, _ destination: Int64, without taken: String) throws(SQLiteError) -> Bool {
        try connection.value(
            "SELECT 1 FROM \(links) AS l WHERE l.owner = ? AND l.destination = ? "
                + "AND l.record NOT IN (SELECT record FROM \(taken)) AND NOT EXISTS (SELECT 1 FROM \(owners) AS o "
                + "WHERE o.owner = l.owner AND o.adds = 0 AND o.record > l.record "
                + "AND o.record NOT IN (SELECT record FROM \(taken))) LIMIT 1",
            [.integer(owner), .integer(destination)]) != .null
    }

    /// Forgets that a list of a record replaces earlier lists of an object, because this record now creates the object
    /// and its list is the first one.
    func removeOwner(_ owner: Int64, record: Int64) throws(SQLiteError) {
        guard hasOwners else { return }
        try connection.execute(
            "DELETE FROM \(owners) WHERE owner = ? AND record = ?", [.integer(owner), .integer(record)])
        guard place.kind == .foreignKey else { return }
        try connection.execute(
            "INSERT OR IGNORE INTO \(owned) SELECT destination FROM \(links) WHERE owner = ?", [.integer(owner)])
    }

    /// Notes an object that may get another owner.
    func noteOwned(_ destination: Int64) throws(SQLiteError) {
        try connection.execute("INSERT OR IGNORE INTO \(owned) VALUES (?)", [.integer(destination)])
    }

    /// Removes some of the objects that may get other owners from the notes, and returns them.
    func takeOwned(upTo count: Int) throws(SQLiteError) -> [Int64] {
        let found = try connection.rows(
            "SELECT destination FROM \(owned) ORDER BY destination LIMIT ?", [.integer(Int64(count))])
        for row in found { try connection.execute("DELETE FROM \(owned) WHERE destination = ?", row) }
        return found.compactMap { $0[0].integer }
    }

    /// Returns whether a record between two others contains a list of an owner that replaces earlier lists.
    func isReplaced(_ owner: Int64, after first: Int64, before last: Int64) throws(SQLiteError) -> Bool {
        guard hasOwners else { return false }
        return try connection.value(
            "SELECT 1 FROM \(owners) WHERE owner = ? AND adds = 0 AND record > ? AND record < ? LIMIT 1",
            [.integer(owner), .integer(first), .integer(last)]) != .null
    }

    /// Returns whether a list of an owner has ended a link before a record. The link is in the store until all records are
    /// read.
    func isEnded(_ owner: Int64, _ destination: Int64, before record: Int64) throws(SQLiteError) -> Bool {
        guard hasOwners else { return false }
        return try connection.value(
            "SELECT \(isEnded("?3"))", [.integer(owner), .integer(record), .integer(destination)]) != .integer(0)
    }

    /// Returns whether an owner has links that its lists have not ended before a record.
    func hasLinks(_ owner: Int64, before record: Int64) throws(SQLiteError) -> Bool {
        try connection.value(
            "SELECT 1 FROM \(place.table) WHERE \(place.owner) = ?1 "
                + "AND NOT \(isEnded("\(place.table).\(place.destination)")) LIMIT 1",
            [.integer(owner), .integer(record)]) != .null
    }

    /// Returns the SQL condition that a list of the owner `?1` has ended its link to an object before the record `?2`.
    private func isEnded(_ destination: String) -> String {
        "EXISTS (SELECT 1 FROM \(owners) AS o WHERE o.owner = ?1 AND o.adds = 0 AND o.record < ?2 AND o.record > "
            + "coalesce((SELECT max(l.record) FROM \(links) AS l WHERE l.owner = ?1 AND l.destination = \(destination) "
            + "AND l.record <= ?2), -1))"
    }

    /// The SQL condition that no later record names the link of row `l`.
    private var isNamedLast: String {
        "NOT EXISTS (SELECT 1 FROM \(links) AS n WHERE n.owner = l.owner AND n.destination = l.destination "
            + "AND n.record > l.record)"
    }

    /// Restores the order of the objects of an owner: objects that lists name come in the order of the lists, after the
    /// others.
    ///
    /// - Parameters:
    ///   - owner: the primary key of the owner.
    ///   - isToOne: returns whether the last link of an object came from its own to-one relationship. Such an object
    ///     gets its position later.
    func order(_ owner: Int64, _ isToOne: (Int64) throws -> Bool) throws {
        guard let order = place.order else { return }
        try reorder(
            owner,
            "SELECT t.\(place.destination) AS object, t.\(order) AS key FROM \(place.table) AS t LEFT JOIN \(links) AS l "
                + "ON l.owner = t.\(place.owner) AND l.destination = t.\(place.destination) AND \(isNamedLast) "
                + "WHERE t.\(place.owner) = ?1 "
                + "ORDER BY l.record IS NOT NULL, iif(l.record IS NULL, t.\(order), NULL), l.place, l.record, "
                + "l.ordinal",
            connection.prepare(
                "UPDATE \(place.table) SET \(order) = ?3 WHERE \(place.owner) = ?1 AND \(place.destination) = ?2")
        ) { try !isToOne($0) }
    }

    /// Returns whether records have named any of the present links of an owner, apart from those to some objects.
    func hasNamed(_ owner: Int64, besides others: Set<Int64>) throws(SQLiteError) -> Bool {
        let statement = try findNamed.prepared(on: connection) {
            // While a new store is filled, its table may not have an index by owner yet.
            "SELECT l.destination FROM \(links) AS l WHERE l.owner = ?1 AND EXISTS (SELECT 1 FROM \(place.table) AS t "
                + "WHERE t.\(place.destination) = l.destination AND t.\(place.owner) = ?1)"
        }
        try statement.bindInteger(owner, at: 1)
        defer { statement.reset() }
        while try statement.step() {
            if !others.contains(statement.integer(0)) { return true }
        }
        return false
    }

    private func makeDestinationIndex() throws(SQLiteError) {
        guard !hasDestinationIndex else { return }
        hasDestinationIndex = true
        try connection.execute(
            "CREATE INDEX IF NOT EXISTS \(links)_destinations ON \(links.split(separator: ".")[1]) (destination)")
    }

    /// Returns the owners whose current lists name an object, each with the record of the list.
    func namers(of destination: Int64) throws(SQLiteError) -> [(owner: Int64, record: Int64)] {
        try makeDestinationIndex()
        return try connection.rows(
            "SELECT l.owner, l.record FROM \(links) AS l JOIN \(owners) AS o ON o.owner = l.owner AND o.record = l.record "
                + "WHERE l.destination = ? AND \(isLast)", [.integer(destination)]
        ).map { ($0[0].integer ?? 0, $0[1].integer ?? 0) }
    }

    /// Creates the indexes by record when they are first needed: few imports look up the lists of single records.
    private func makeRecordIndexes() throws(SQLiteError) {
        guard !hasRecordIndexes else { return }
        hasRecordIndexes = true
        for table in [owners, links] {
            let name = table.split(separator: ".")[1]
            try connection.execute("CREATE INDEX IF NOT EXISTS \(table)_records ON \(name) (record)")
        }
    }

    /// Returns a statement that selects the links that no list names any more: the record, owner, destination, and the
    /// order keys of both directions.
    func surplus() throws(SQLiteError) -> Statement {
        let order = place.order.map { "\(place.table).\($0)" } ?? "NULL"
        let inverseOrder = place.inverseOrder.map { "\(place.table).\($0)" } ?? "NULL"
        let owner = "\(place.table).\(place.owner)"
        return try connection.prepare(
            "SELECT (SELECT max(record) FROM \(owners) WHERE owner = \(owner) AND adds = 0), \(owner), \(place.table).\(place.destination), "
                + "\(order), \(inverseOrder) FROM \(place.table) WHERE \(isSurplus)")
    }

    /// A query for the destinations of the links that no list names any more.
    var surplusDestinations: String {
        "SELECT \(place.table).\(place.destination) AS object FROM \(place.table) WHERE \(isSurplus)"
    }

    /// The SQL condition that a row of the table is a link that no list names, although there is a list that replaces
    /// the links of its object.
    private var isSurplus: String {
        let (table, owner, destination) = (place.table, place.owner, place.destination)
        let isReplaced = "\(table).\(owner) IN (SELECT owner FROM \(owners) WHERE adds = 0)"
        guard place.isSymmetric else { return "\(isReplaced) AND NOT \(isNamed(owner, destination))" }
        // A link of a relationship that is its own inverse has two owners, and stays if either of them names it.
        return "(\(isReplaced) OR \(table).\(destination) IN (SELECT owner FROM \(owners) WHERE adds = 0)) "
            + "AND NOT \(isNamed(owner, destination)) AND NOT \(isNamed(destination, owner))"
    }

    /// Returns the SQL condition that a row of the table is a link that a record names, and that no later list of its
    /// owner ends.
    private func isNamed(_ owner: String, _ destination: String, _ condition: String = "") -> String {
        "EXISTS (SELECT 1 FROM \(links) AS l JOIN \(owners) AS o ON o.owner = l.owner AND o.record = l.record "
            + "WHERE l.owner = \(place.table).\(owner) AND l.destination = \(place.table).\(destination) "
            + "AND \(isLast)\(condition))"
    }

    /// The SQL condition that a list contains the link of row `l`.
    private var isOfList: String { "l.ordinal <> \(Self.toOneOrdinal)" }

    /// The SQL condition that no record after that of row `o` contains a list that replaces the links of its owner.
    private var isLast: String {
        "NOT EXISTS (SELECT 1 FROM \(owners) AS n WHERE n.owner = o.owner AND n.record > o.record AND n.adds = 0)"
    }

    /// Removes the links that no list names any more, and returns their number.
    func endOthers() throws(SQLiteError) -> Int64 {
        guard replaces, try connection.value("SELECT 1 FROM \(owners) LIMIT 1") != .null else { return 0 }
        if place.kind == .joinTable {
            // A link of a relationship that is its own inverse has two rows, or one row if it links an object to
            // itself.
            let links = place.isSymmetric ? " AND \(place.owner) <= \(place.destination)" : ""
            let count = try connection.value("SELECT count(*) FROM \(place.table) WHERE (\(isSurplus))\(links)")
            try connection.execute("DELETE FROM \(place.table) WHERE \(isSurplus)")
            return count.integer ?? 0
        } else {
            let cleared = [place.owner, place.entity, place.order].compactMap { $0 }.map { "\($0) = NULL, " }.joined()
            try connection.execute(
                "UPDATE \(place.table) SET \(cleared)\(ObjectVersion.raised()) WHERE \(isSurplus)")
        }
        return connection.changes
    }

    /// Gives the links of an ordered relationship the order in which records name them, if they have another one.
    func order() throws {
        guard let order = place.order else { return }
        let (table, owner, destination) = (place.table, place.owner, place.destination)
        if isShared, replaces {
            // The last list has ended the link, and a record of the destination has set it again.
            try connection.execute(
                "UPDATE \(table) SET \(order) = NULL WHERE \(order) IS NOT NULL AND \(owner) IN (SELECT owner FROM \(owners) "
                    + "WHERE adds = 0) AND NOT \(isNamed(owner, destination, " AND \(isOfList)"))")
        }
        let named =
            "FROM \(links) AS l "
            + "JOIN \(owners) AS o ON o.owner = l.owner AND o.record = l.record AND \(isLast) "
            + (isShared ? "AND \(isOfList) " : "")
            + "JOIN \(table) AS t ON t.\(owner) = l.owner AND t.\(destination) = l.destination "
            + (isShared ? "AND t.\(order) IS NOT NULL " : "")
            + "WHERE \(adds ? isNamedLast : "1") "
        let position = "l.place, l.record, l.ordinal"
        let touch = place.kind == .joinTable ? "" : ", \(ObjectVersion.raised())"
        let update = try connection.prepare(
            "UPDATE \(table) SET \(order) = ?3\(touch) WHERE \(owner) = ?1 AND \(destination) = ?2", persistent: true)
        let statement = try connection.prepare(
            "SELECT l.owner, t.\(order) \(named)ORDER BY l.owner, \(position)")
        var current: (owner: Int64, keys: ListKeys)?
        func finish() throws {
            guard let current, !current.keys.areAscending else { return }
            try reorder(
                current.owner,
                "SELECT l.destination AS object, t.\(order) AS key \(named)AND l.owner = ?1 ORDER BY \(position)",
                update
            ) { _ in true }
        }
        while try statement.step() {
            if current?.owner != statement.integer(0) {
                try finish()
                current = (statement.integer(0), ListKeys())
            }
            current?.keys.append(statement.isNull(1) ? nil : statement.integer(1))
        }
        try finish()
    }

    /// Assigns order keys to the objects of an owner, unless their order is already right.
    ///
    /// If possible, the existing keys are redistributed, so that links that no record names keep their positions among
    /// them. The lists may have any length: they are read several times and sorted by SQLite, instead of being held in
    /// memory.
    ///
    /// - Parameters:
    ///   - owner: the primary key of the owner.
    ///   - objects: SQL that selects each `object` with its `key`, in order; `?1` is the owner.
    ///   - update: a statement that gives an object (`?2`) of the owner (`?1`) a key (`?3`).
    ///   - isMeant: returns whether an object gets a key.
    private func reorder(
        _ owner: Int64, _ objects: String, _ update: Statement, isMeant: (_ object: Int64) throws -> Bool
    ) throws {
        let list = try connection.prepare(objects)
        let sorted = try connection.prepare("SELECT object, key FROM (\(objects)) ORDER BY +key")
        func next(_ statement: Statement) throws -> Bool {
            while try statement.step() {
                if try isMeant(statement.integer(0)) { return true }
            }
            return false
        }
        func keys(of statement: Statement) throws -> ListKeys {
            try statement.bindInteger(owner, at: 1)
            var keys = ListKeys()
            while try next(statement) { keys.append(statement.isNull(1) ? nil : statement.integer(1)) }
            statement.reset()
            return keys
        }
        if try keys(of: list).areAscending { return }
        let areDealtOut = try keys(of: sorted).areAscending
        defer {
            list.reset()
            sorted.reset()
        }
        var position: Int64 = 0
        while try next(list) {
            var key = OrderKeys.key(at: position)
            if areDealtOut, try next(sorted) { key = sorted.integer(1) }
            position += 1
            if !list.isNull(1), list.integer(1) == key { continue }
            try update.bindInteger(owner, at: 1)
            try update.bindInteger(list.integer(0), at: 2)
            try update.bindInteger(key, at: 3)
            try update.run()
        }
    }

    /// A check that several order keys exist and are in ascending order.
    private struct ListKeys {
        private(set) var areAscending = true
        private var last = Int64.min

        mutating func append(_ key: Int64?) {
            guard let key, key > last else { return areAscending = false }
            last = key
        }
    }

    func close() throws(SQLiteError) {
        for table in [owners, links, owned] { try connection.execute("DROP TABLE IF EXISTS \(table)") }
    }
}
