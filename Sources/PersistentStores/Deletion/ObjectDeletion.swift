import ManagedObjectModels
public import SQLiteAccess

/// Deletes objects by the delete rules of their relationships, as a save of the app would.
///
/// The objects to delete are listed in a temporary table; cascading adds objects to it until there are no further ones.
/// Memory does not grow with their number.
public struct ObjectDeletion {
    /// Why a save would fail: objects of an entity with a rule that the deletion violates.
    public struct Refusal: Equatable, Sendable {
        /// The name of the entity whose relationship is broken.
        public let entity: String
        /// The name of the relationship.
        public let relationship: String
        /// 1600 if a Deny rule is violated; 1570 or 1580 if a remaining object would have too few destinations.
        public let code: Int
        /// How many objects violate the rule.
        public let objects: Int64
    }

    private let connection: Connection
    private let layout: StoreLayout
    private let links: [DeletedLinks]

    static let table = "temp.ferry_deleted"

    /// Makes the table of the objects to delete; `close` removes it.
    /// - Throws: `SQLiteError` if the temporary table cannot be made.
    public init(_ connection: Connection, layout: StoreLayout) throws(SQLiteError) {
        self.connection = connection
        self.layout = layout
        links = layout.model.entities.flatMap { entity in
            entity.relationships.filter { $0.isStored && $0.owner == entity.slot }
                .compactMap { DeletedLinks($0, layout) }
        }
        try connection.execute(
            """
            CREATE TEMP TABLE ferry_deleted (root INTEGER, k INTEGER, generation INTEGER, PRIMARY KEY (root, k)) \
            WITHOUT ROWID;
            CREATE INDEX temp.ferry_deleted_generation ON ferry_deleted (generation, root);
            """)
    }

    /// Removes the table of the objects to delete.
    /// - Throws: `SQLiteError` if the connection is closed, or a statement is using the table.
    public func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(Self.table)")
    }

    /// The columns that are searched, each with its table. If they are indexed, the time grows with the number of
    /// deleted objects instead of the size of the tables.
    public var searchedColumns: [(table: String, column: String)] { links.compactMap(\.searchedColumn) }

    /// Returns a condition that a row is among the objects to delete.
    public static func isDeleted(root: Int, key: String) -> String {
        "EXISTS (SELECT 1 FROM \(table) r WHERE r.root = \(root) AND r.k = \(key))"
    }

    // MARK: - Which objects go

    /// Adds objects.
    ///
    /// - Parameters:
    ///   - slot: the slot of an entity of the table whose rows are searched; the condition says which entities are
    ///     meant.
    ///   - condition: SQL over the rows `s` of the entity's table.
    /// - Throws: `SQLiteError` if the condition does not compile, or the store cannot be read.
    public func add(_ slot: Int, where condition: String) throws(SQLiteError) {
        guard let table = layout.table(ofEntity: slot) else { return }
        try connection.execute(
            "INSERT OR IGNORE INTO \(Self.table) SELECT \(table.root), s.Z_PK, 0 FROM \(name(table)) s "
                + "WHERE \(condition)")
    }

    /// Adds the objects that relationships with the rule Cascade lead to, recursively.
    /// - Throws: `SQLiteError` if the store cannot be read.
    public func cascade() throws(SQLiteError) {
        let cascading = links.filter { $0.relationship.description.deleteRule == .cascade }
        var generation = 0
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for link in cascading {
                try connection.execute(
                    "INSERT OR IGNORE INTO \(Self.table) SELECT \(link.destinationRoot), \(link.destination), "
                        + "\(generation + 1) FROM \(Self.table) r CROSS JOIN \(link.table) s ON \(link.owner) = r.k "
                        + "WHERE r.generation = \(generation) AND r.root = \(link.ownerRoot) AND \(link.condition) "
                        + "AND \(link.destination) IS NOT NULL")
                if connection.changes > 0 { isGrowing = true }
            }
            generation += 1
        }
    }

    /// Returns how many objects will be deleted, by the slot of their entity.
    /// - Throws: `SQLiteError` if the store cannot be read.
    public func counts() throws(SQLiteError) -> [(slot: Int, count: Int64)] {
        var counts: [(slot: Int, count: Int64)] = []
        for table in layout.tables {
            let rows = try connection.rows(
                "SELECT Z_ENT, count(*) FROM \(name(table)) "
                    + "WHERE \(Self.isDeleted(root: table.root, key: "Z_PK")) GROUP BY Z_ENT ORDER BY Z_ENT")
            for row in rows {
                let slot = layout.slot(ofEntityNumber: Int(row[0].integer ?? 0)) ?? table.root
                counts.append((slot, row[1].integer ?? 0))
            }
        }
        return counts
    }

    // MARK: - Whether they may go

    /// Returns the first rule that a save would fail with; nil if there is none.
    /// - Throws: `SQLiteError` if the store cannot be read.
    public func refusal() throws(SQLiteError) -> Refusal? {
        if let denial = try denial() { return denial }
        for link in links {
            if let lack = try lack(behind: link) { return lack }
        }
        return nil
    }

    /// Returns the first relationship that denies the deletion; nil if there is none.
    /// - Throws: `SQLiteError` if the store cannot be read.
    public func denial() throws(SQLiteError) -> Refusal? {
        for link in links {
            if let denial = try denial(of: link) { return denial }
        }
        return nil
    }

    /// Returns all relationships that deny the deletion, each with the entity number and the key of up to `limit` of
    /// the objects.
    /// - Throws: `SQLiteError` if the store cannot be read.
    public func denials(naming limit: Int) throws(SQLiteError) -> [(refusal: Refusal, rows: [[SQLiteValue]])] {
        var result: [(refusal: Refusal, rows: [[SQLiteValue]])] = []
        for link in links {
            guard let denial = try denial(of: link), let table = layout.table(ofEntity: link.relationship.owner)
            else { continue }
            let rows = try connection.rows(
                "SELECT DISTINCT o.Z_ENT, o.Z_PK FROM \(link.table) s, \(name(table)) o WHERE o.Z_PK = \(link.owner) "
                    + "AND \(denied(link)) ORDER BY 2 LIMIT \(limit)")
            result.append((denial, rows))
        }
        return result
    }

    /// Returns the condition that a row `s` is a link from an object to delete, with a Deny rule, to an object that
    /// remains.
    private func denied(_ link: DeletedLinks) -> String {
        "\(link.condition) AND \(link.destination) IS NOT NULL "
            + "AND \(Self.isDeleted(root: link.ownerRoot, key: link.owner)) "
            + "AND NOT \(Self.isDeleted(root: link.destinationRoot, key: link.destination))"
    }

    /// Returns the objects to delete that a Deny rule protects, because they have links to objects that remain.
    private func denial(of link: DeletedLinks) throws(SQLiteError) -> Refusal? {
        guard link.relationship.description.deleteRule == .deny else { return nil }
        return refusal(
            link, 1600,
            try connection.value("SELECT count(*) FROM \(link.table) s WHERE \(denied(link))"))
    }

    /// Returns the remaining objects that would have fewer destinations than the model demands.
    private func lack(behind link: DeletedLinks) throws(SQLiteError) -> Refusal? {
        guard let rule = CountRule(link.relationship), rule.minimum > 0 else { return nil }
        let gone = "sum(\(Self.isDeleted(root: link.destinationRoot, key: link.destination)))"
        let left = "count(*) - \(gone)"
        return refusal(
            link, rule.isToMany ? 1580 : 1570,
            try connection.value(
                "SELECT count(*) FROM (SELECT 1 FROM \(link.table) s WHERE \(link.condition) "
                    + "AND \(link.owner) IS NOT NULL AND \(link.destination) IS NOT NULL "
                    + "AND NOT \(Self.isDeleted(root: link.ownerRoot, key: link.owner)) GROUP BY \(link.owner) "
                    + "HAVING \(gone) > 0 AND \(left) < \(rule.minimum)\(rule.isOptional ? " AND \(left) > 0" : ""))"))
    }

    private func refusal(_ link: DeletedLinks, _ code: Int, _ count: SQLiteValue) -> Refusal? {
        refusal(link.relationship, code, count)
    }

    private func refusal(_ relationship: ResolvedRelationship, _ code: Int, _ count: SQLiteValue) -> Refusal? {
        guard let count = count.integer, count > 0 else { return nil }
        return Refusal(
            entity: layout.model.entities[relationship.owner].name, relationship: relationship.name, code: code,
            objects: count)
    }

    // MARK: - That they go

    /// Removes links to the objects, and deletes the objects.
    ///
    /// - Throws: `SQLiteError` if the store cannot be changed.
    /// - Returns: how many objects were deleted.
    public func delete(unlinking removal: LinkRemoval) throws(SQLiteError) -> Int64 {
        for keys in keyColumns where removal == .all || keys.isReached { try takeAway(keys) }
        for link in links where link.isJoined { try removeRows(of: link, removal) }
        var count: Int64 = 0
        for table in layout.tables {
            try connection.execute(
                "DELETE FROM \(name(table)) WHERE \(Self.isDeleted(root: table.root, key: "Z_PK"))")
            count += connection.changes
        }
        return count
    }

    /// Returns the relationships of remaining objects that still lead to deleted objects, because no delete rule
    /// reaches them.
    /// - Throws: `SQLiteError` if the store cannot be read.
    public func danglingLinks(unlinking removal: LinkRemoval) throws(SQLiteError) -> [Refusal] {
        guard removal == .byDeleteRules else { return [] }
        var result: [Refusal] = []
        for keys in keyColumns where !keys.isReached {
            let count = try connection.value(
                "SELECT count(*) FROM \(name(keys.table)) WHERE "
                    + Self.isDeleted(root: keys.targetRoot, key: keys.column))
            if let left = refusal(keys.relationship, 133000, count) { result.append(left) }
        }
        for link in links where link.isJoined {
            let count = try connection.value(
                "SELECT count(*) FROM \(link.table) s WHERE "
                    + Self.isDeleted(root: link.destinationRoot, key: link.destination))
            if let left = refusal(link, 133000, count) { result.append(left) }
        }
        return result
    }

    /// A column of keys that may lead to deleted objects.
    private struct KeyColumn {
        let relationship: ResolvedRelationship
        let table: EntityTable
        /// The name, in quotes.
        let column: String
        /// The columns that belong to it (entity number, order key), in quotes.
        let companions: [String]
        let targetRoot: Int
        /// Whether a delete rule removes the keys together with the objects that they lead to.
        let isReached: Bool
    }

    private var keyColumns: [KeyColumn] {
        layout.tables.flatMap { table in table.columns.compactMap { keyColumn($0, in: table) } }
    }

    private func keyColumn(_ column: EntityColumn, in table: EntityTable) -> KeyColumn? {
        let key: PropertyKey
        let roles: [EntityColumn.Role]
        let isOneWay: Bool
        switch column.role {
        case .toOne(let property):
            (key, roles, isOneWay) = (property, [.toOneEntity(property), .toOneOrder(property)], false)
        case .unidirectional(let property):
            (key, roles, isOneWay) = (
                property, [.unidirectionalEntity(property), .unidirectionalOrder(property)], true
            )
        default: return nil
        }
        guard let relationship = relationship(key) else { return nil }
        let target = isOneWay ? key.owner : relationship.destination
        let inverse = layout.model.inverse(of: relationship)
        return KeyColumn(
            relationship: relationship, table: table, column: SQLiteIdentifier.quoted(column.name),
            companions: table.columns.filter { roles.contains($0.role) }.map { SQLiteIdentifier.quoted($0.name) },
            targetRoot: layout.model.entities[target].root,
            // A to-many without an inverse is a relationship of the deleted object; its links are stored in the rows of
            // its destinations.
            isReached: isOneWay || inverse.map(Self.isActing) ?? false)
    }

    private static func isActing(_ relationship: ResolvedRelationship) -> Bool {
        relationship.description.deleteRule != .noAction
    }

    private func takeAway(_ keys: KeyColumn) throws(SQLiteError) {
        let sets = ([keys.column] + keys.companions).map { "\($0) = NULL, " }.joined()
        try connection.execute(
            "UPDATE \(name(keys.table)) SET \(sets)\(ObjectVersion.raised()) "
                + "WHERE \(Self.isDeleted(root: keys.targetRoot, key: keys.column)) "
                + "AND NOT \(Self.isDeleted(root: keys.table.root, key: "Z_PK"))")
    }

    /// Removes rows of a join table that are links of one of its relationships; its inverse shares the same rows.
    private func removeRows(of link: DeletedLinks, _ removal: LinkRemoval) throws(SQLiteError) {
        let owner = Self.isDeleted(root: link.ownerRoot, key: link.owner)
        let other = Self.isDeleted(root: link.destinationRoot, key: link.destination)
        let isReached = link.relationship.inverse == nil || Self.isActing(link.relationship)
        let condition =
            if removal == .all || (isReached && link.relationship.isSelfInverse) {
                "\(owner) OR \(other)"
            } else if isReached {
                owner
            } else {
                // No remaining object could show the link.
                "\(owner) AND \(other)"
            }
        try connection.execute("DELETE FROM \(link.table) AS s WHERE \(condition)")
    }

    private func relationship(_ key: PropertyKey) -> ResolvedRelationship? {
        layout.model.entities[key.owner].relationships.first { $0.key == key }
    }

    private func name(_ table: EntityTable) -> String { "main.\(SQLiteIdentifier.quoted(table.name))" }
}
