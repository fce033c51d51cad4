import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// What the records of an import say about the links of objects that were there before: which ones they name, in which
/// order.
///
/// Links that no record names end when all records are read; where several records name the links of one object, the
/// last counts. It waits on disk, so that memory stays bounded.
final class LinkReplacement {
    private let connection: Connection
    let place: LinkPlace
    let relationship: PropertyKey
    /// Whether links that are not named may end.
    let replaces: Bool
    /// Whether links may be added to others.
    private let adds: Bool
    /// Whether objects may come to an owner by their own to-one: they get their places behind the others.
    var isShared = false
    /// Whether the other side of a many-to-many relationship has lists, too, and each object's own list keeps its
    /// order.
    var isTwoSided = false
    private let owners: String
    private let links: String
    /// Objects whose owners may be others without records that have been taken back.
    private let owned: String
    private let insertOwner: Statement
    private let insertLink: Statement
    private let findLast: Statement
    /// Whether any record says what the links of an object are that was there before.
    private var hasOwners: Bool
    private var hasRecordIndexes = false
    private var hasDestinationIndex = false
    private var findNamed = LazyStatement()

    /// - Parameters:
    ///   - replaces: false to keep the links that are not named.
    ///   - adds: whether a mapping adds links to those that there are.
    ///   - schema: where the notes are kept, `temp` or `main`.
    ///   - name: a name for the notes that no other relationship of the import has.
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
        insertOwner = try connection.prepare("INSERT OR IGNORE INTO \(owners) VALUES (?1, ?2, ?3)", persistent: true)
        // A record that names a link twice means its first place, as a set that is filled in order does.
        insertLink = try connection.prepare(
            "INSERT OR IGNORE INTO \(links) VALUES (?1, ?2, ?3, ?4, ?5)", persistent: true)
        findLast = try connection.prepare(
            "SELECT max(record) FROM \(owners) WHERE owner = ?1 AND adds = 0", persistent: true)
        hasOwners = try connection.value("SELECT 1 FROM \(owners) LIMIT 1") != .null
    }

    var isSymmetric: Bool { place.isSymmetric }

    /// Whether what records say of new objects is noted too: both directions of a link are two objects' links, and where
    /// links are added to each other, the last record that names one says its place, as it does where the lists of
    /// other objects have the same links.
    var notesNewObjects: Bool { isSymmetric || isTwoSided || adds && place.order != nil }

    /// A record says what the links of an object are.
    ///
    /// - Parameters:
    ///   - adds: whether it says so beside what other records say.
    ///   - isToOne: whether it is a record of the destination, which says that beside the others.
    func note(owner: Int64, record: Int64, adds: Bool = false, isToOne: Bool = false) throws(SQLiteError) {
        hasOwners = true
        try insertOwner.bindInteger(isToOne ? 2 : adds ? 1 : 0, at: 3)
        try insertOwner.bindInteger(owner, at: 1)
        try insertOwner.bindInteger(record, at: 2)
        try insertOwner.run()
    }

    /// The last record that says what the links of an object are that was there before; nil if none does.
    func lastRecord(of owner: Int64) throws(SQLiteError) -> Int64? {
        guard hasOwners else { return nil }
        try findLast.bindInteger(owner, at: 1)
        defer { findLast.reset() }
        return try findLast.step() && !findLast.isNull(0) ? findLast.integer(0) : nil
    }

    /// The objects of which a record says what their links are.
    func owners(of record: Int64) throws(SQLiteError) -> [Int64] {
        guard hasOwners else { return [] }
        try makeRecordIndexes()
        return try connection.rows("SELECT owner FROM \(owners) WHERE record = ?", [.integer(record)]).compactMap {
            $0[0].integer
        }
    }

    /// A record names a link, at a place among those that it names.
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

    /// Forgets what records say that have been taken back.
    func removeRecords(of taken: RevokedRecords) throws(SQLiteError) {
        for table in [owners, links] {
            try connection.execute("DELETE FROM \(table) WHERE record IN (SELECT record FROM \(taken.table))")
        }
    }

    /// Forgets what a record says.
    func remove(_ record: Int64) throws(SQLiteError) {
        try makeRecordIndexes()
        for table in [owners, links] {
            try connection.execute("DELETE FROM \(table) WHERE record = ?", [.integer(record)])
        }
    }

    /// A query for the records that name links which no later list has ended, and the other objects of these.
    ///
    /// - Parameter isOwner: whether the links are those of an owner, else those that lead to a destination: the only
    ///   parameter of the query.
    func namings(isOwner: Bool) throws(SQLiteError) -> String {
        if !isOwner { try makeDestinationIndex() }
        let (own, other) = isOwner ? ("owner", "destination") : ("destination", "owner")
        return "SELECT record, \(other) AS other FROM \(links) AS l WHERE \(own) = ?1 AND record >= "
            + "coalesce((SELECT max(o.record) FROM \(owners) AS o WHERE o.owner = l.owner AND o.adds = 0), 0)"
    }

    /// What records name an object, in their order: the record and the owner.
    func allNamers(of destination: Int64) throws(SQLiteError) -> [(record: Int64, owner: Int64)] {
        try makeDestinationIndex()
        return try connection.rows(
            "SELECT record, owner FROM \(links) WHERE destination = ? ORDER BY record", [.integer(destination)]
        ).map { ($0[0].integer ?? 0, $0[1].integer ?? 0) }
    }

    /// A record is about to be taken back: the objects that it names, and those whose links its lists end, may get
    /// other owners.
    func noteOwned(by record: Int64) throws(SQLiteError) {
        guard place.kind == .foreignKey else { return }
        try makeRecordIndexes()
        try connection.execute(
            "INSERT OR IGNORE INTO \(owned) SELECT destination FROM \(links) WHERE record = ?1 "
                + "OR owner IN (SELECT owner FROM \(owners) WHERE record = ?1)", [.integer(record)])
    }

    /// Whether a record names a link, and no later list of its owner ends it.
    ///
    /// - Parameter taken: the table of the records that are taken back, and do not count.
    func isNamed(_ owner: Int64, _ destination: Int64, without taken: String) throws(SQLiteError) -> Bool {
        try connection.value(
            "SELECT 1 FROM \(links) AS l WHERE l.owner = ? AND l.destination = ? "
                + "AND l.record NOT IN (SELECT record FROM \(taken)) AND NOT EXISTS (SELECT 1 FROM \(owners) AS o "
                + "WHERE o.owner = l.owner AND o.adds = 0 AND o.record > l.record "
                + "AND o.record NOT IN (SELECT record FROM \(taken))) LIMIT 1",
            [.integer(owner), .integer(destination)]) != .null
    }

    /// A record makes an object whose links it has replaced: its list is the first one.
    func removeOwner(_ owner: Int64, record: Int64) throws(SQLiteError) {
        guard hasOwners else { return }
        try connection.execute(
            "DELETE FROM \(owners) WHERE owner = ? AND record = ?", [.integer(owner), .integer(record)])
        guard place.kind == .foreignKey else { return }
        try connection.execute(
            "INSERT OR IGNORE INTO \(owned) SELECT destination FROM \(links) WHERE owner = ?", [.integer(owner)])
    }

    /// An object may get another owner.
    func noteOwned(_ destination: Int64) throws(SQLiteError) {
        try connection.execute("INSERT OR IGNORE INTO \(owned) VALUES (?)", [.integer(destination)])
    }

    /// Takes out some of the objects that may get other owners.
    func takeOwned(upTo count: Int) throws(SQLiteError) -> [Int64] {
        let found = try connection.rows(
            "SELECT destination FROM \(owned) ORDER BY destination LIMIT ?", [.integer(Int64(count))])
        for row in found { try connection.execute("DELETE FROM \(owned) WHERE destination = ?", row) }
        return found.compactMap { $0[0].integer }
    }

    /// Whether a list of an owner, of a record between two others, ends what it does not name.
    func isReplaced(_ owner: Int64, after first: Int64, before last: Int64) throws(SQLiteError) -> Bool {
        guard hasOwners else { return false }
        return try connection.value(
            "SELECT 1 FROM \(owners) WHERE owner = ? AND adds = 0 AND record > ? AND record < ? LIMIT 1",
            [.integer(owner), .integer(first), .integer(last)]) != .null
    }

    /// The condition that no later record names the link `l`.
    private var isNamedLast: String {
        "NOT EXISTS (SELECT 1 FROM \(links) AS n WHERE n.owner = l.owner AND n.destination = l.destination "
            + "AND n.record > l.record)"
    }

    /// Gives the objects of an owner their order again: those that lists name come in their order, behind the others.
    ///
    /// - Parameter isToOne: whether an object came by its own to-one last: it gets its place later.
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

    /// Whether records have named links of an owner that are there, besides those to some objects.
    func hasNamed(_ owner: Int64, besides others: Set<Int64>) throws(SQLiteError) -> Bool {
        let statement = try findNamed.prepared(on: connection) {
            "SELECT t.\(place.destination) FROM \(place.table) AS t WHERE t.\(place.owner) = ?1 AND EXISTS "
                + "(SELECT 1 FROM \(links) AS l WHERE l.owner = ?1 AND l.destination = t.\(place.destination))"
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

    /// The objects whose last records name an object, each with the record.
    func namers(of destination: Int64) throws(SQLiteError) -> [(owner: Int64, record: Int64)] {
        try makeDestinationIndex()
        return try connection.rows(
            "SELECT l.owner, l.record FROM \(links) AS l JOIN \(owners) AS o ON o.owner = l.owner AND o.record = l.record "
                + "WHERE l.destination = ? AND \(isLast)", [.integer(destination)]
        ).map { ($0[0].integer ?? 0, $0[1].integer ?? 0) }
    }

    /// Few imports look for what single records say.
    private func makeRecordIndexes() throws(SQLiteError) {
        guard !hasRecordIndexes else { return }
        hasRecordIndexes = true
        for table in [owners, links] {
            let name = table.split(separator: ".")[1]
            try connection.execute("CREATE INDEX IF NOT EXISTS \(table)_records ON \(name) (record)")
        }
    }

    /// The links that are named no more: record, owner, destination, and the places in both.
    func surplus() throws(SQLiteError) -> Statement {
        let order = place.order.map { "\(place.table).\($0)" } ?? "NULL"
        let inverseOrder = place.inverseOrder.map { "\(place.table).\($0)" } ?? "NULL"
        let owner = "\(place.table).\(place.owner)"
        return try connection.prepare(
            "SELECT (SELECT max(record) FROM \(owners) WHERE owner = \(owner) AND adds = 0), \(owner), \(place.table).\(place.destination), "
                + "\(order), \(inverseOrder) FROM \(place.table) WHERE \(isSurplus)")
    }

    /// A query for the destinations of the links that are named no more.
    var surplusDestinations: String {
        "SELECT \(place.table).\(place.destination) AS object FROM \(place.table) WHERE \(isSurplus)"
    }

    /// The condition that a row of the table is a link that no record names, of an object whose links a record names.
    private var isSurplus: String {
        let (table, owner, destination) = (place.table, place.owner, place.destination)
        let isReplaced = "\(table).\(owner) IN (SELECT owner FROM \(owners) WHERE adds = 0)"
        guard place.isSymmetric else { return "\(isReplaced) AND NOT \(isNamed(owner, destination))" }
        // A link of a relationship that is its own inverse has two owners: it stays where either names it.
        return "(\(isReplaced) OR \(table).\(destination) IN (SELECT owner FROM \(owners) WHERE adds = 0)) "
            + "AND NOT \(isNamed(owner, destination)) AND NOT \(isNamed(destination, owner))"
    }

    /// The condition that a row of the table is a link that a record names, and no later list of its owner ends.
    private func isNamed(_ owner: String, _ destination: String, _ condition: String = "") -> String {
        "EXISTS (SELECT 1 FROM \(links) AS l JOIN \(owners) AS o ON o.owner = l.owner AND o.record = l.record "
            + "WHERE l.owner = \(place.table).\(owner) AND l.destination = \(place.table).\(destination) "
            + "AND \(isLast)\(condition))"
    }

    /// The condition that no later record than that of a row `o` says what the links of its owner are.
    private var isLast: String {
        "NOT EXISTS (SELECT 1 FROM \(owners) AS n WHERE n.owner = o.owner AND n.record > o.record AND n.adds = 0)"
    }

    /// Ends the links that are named no more; how many.
    func endOthers() throws(SQLiteError) -> Int64 {
        guard replaces, try connection.value("SELECT 1 FROM \(owners) LIMIT 1") != .null else { return 0 }
        if place.kind == .joinTable {
            // Each link of a relationship that is its own inverse is two rows, or one that leads to its owner.
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

    /// Gives the links of ordered relationships the order in which they are named, where they have another.
    func order() throws {
        guard let order = place.order else { return }
        let (table, owner, destination) = (place.table, place.owner, place.destination)
        if isShared, replaces {
            // The last list has ended the link, and a record of the object has set it again.
            try connection.execute(
                "UPDATE \(table) SET \(order) = NULL WHERE \(order) IS NOT NULL AND \(owner) IN (SELECT owner FROM \(owners) "
                    + "WHERE adds = 0) AND NOT \(isNamed(owner, destination, " AND o.adds < 2"))")
        }
        let named =
            "FROM \(links) AS l "
            + "JOIN \(owners) AS o ON o.owner = l.owner AND o.record = l.record AND \(isLast) "
            + (isShared ? "AND o.adds < 2 " : "")
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

    /// Gives the objects of an owner the order keys of their order, if they have others.
    ///
    /// The keys that are there are dealt out again, so that links which no record names stay where they are among them.
    /// Lists of any length are read several times, and SQLite sorts them, instead of being in memory.
    ///
    /// - Parameters:
    ///   - objects: SQL that selects each `object` with its `key`, in order; `?1` is the owner.
    ///   - update: gives an object (`?2`) of the owner (`?1`) a key (`?3`).
    ///   - isMeant: whether an object gets a key.
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

    /// Whether each of some order keys is there and above the one before.
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
