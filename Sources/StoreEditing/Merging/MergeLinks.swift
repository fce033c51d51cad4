import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Links merged objects in the same way as in the source.
///
/// Links are made between objects that were inserted or updated. An unchanged object of the destination may get a link
/// if it has none; if it already leads to another object, the link is left out.
final class MergeLinks {
    private typealias State = MergeSelection.State

    private let selection: MergeSelection
    private let destination: StoreLayout
    private let connection: Connection
    /// The number of links that were not made, by relationship.
    private(set) var leftOut: [String: Int64] = [:]

    private static let merged = MergeSelection.table

    init(_ selection: MergeSelection, into destination: StoreLayout) {
        self.selection = selection
        self.destination = destination
        connection = selection.connection
    }

    func write() throws {
        var joined: Set<PropertyKey> = []
        for relationship in destination.model.entities.flatMap(\.declaredRelationships) where relationship.isStored {
            switch relationship.storage {
            case .toOne:
                if let from = LinkColumn(
                    toOne: relationship.key, in: selection.source, database: MergeSelection.database),
                    let to = LinkColumn(toOne: relationship.key, in: destination)
                {
                    try write(
                        KeyLink(
                            relationship: relationship, from: from, to: to, rows: relationship.owner,
                            target: relationship.destination))
                }
            case .unidirectional:
                if let from = LinkColumn(
                    unidirectional: relationship, in: selection.source, database: MergeSelection.database),
                    let to = LinkColumn(unidirectional: relationship, in: destination)
                {
                    try write(
                        KeyLink(
                            relationship: relationship, from: from, to: to, rows: relationship.destination,
                            target: relationship.owner))
                }
            case .joinTable:
                // One join table has the links of both directions.
                if let inverse = relationship.inverse, joined.contains(inverse.key) { continue }
                joined.insert(relationship.key)
                try join(relationship)
            case .inverseToOne: break
            }
        }
    }

    private func name(_ relationship: ResolvedRelationship) -> String {
        "\(destination.model.entities[relationship.owner].name).\(relationship.name)"
    }

    private func leaveOut(_ relationship: ResolvedRelationship, _ count: Int64) {
        if count > 0 { leftOut[name(relationship), default: 0] += count }
    }

    private func root(_ slot: Int) -> Int { destination.model.entities[slot].root }

    // MARK: Keys in rows

    /// A relationship whose links are keys in the rows of one side.
    private struct KeyLink {
        let relationship: ResolvedRelationship
        let from: LinkColumn
        let to: LinkColumn
        /// The entity whose rows have the keys, and the destination entity.
        let rows: Int
        let target: Int

        var isOneToOne: Bool {
            relationship.storage == .toOne && (relationship.inverse.map { !$0.isToMany } ?? false)
        }
    }

    private func write(_ link: KeyLink) throws {
        let (rows, targets) = (root(link.rows), root(link.target))
        let isWritten = "<= \(State.updated.rawValue)"
        let order = link.from.order.map { "o.\($0)" } ?? "NULL"
        // A link without an inverse belongs to its owner only: that of an object that is not written stays as it is.
        let isAlone = link.relationship.inverse == nil
        let isInRow = link.relationship.storage == .toOne
        // Links of the rows that were written, and of the objects that they lead to.
        try connection.execute(
            "CREATE TEMP TABLE ferry_links AS SELECT m.d AS k, m.state AS state, t.d AS target, t.state AS targetState, "
                + "\(order) AS place, t.s AS found FROM \(Self.merged) m CROSS JOIN \(link.from.table) o ON o.Z_PK = m.s "
                + "LEFT JOIN \(Self.merged) t ON t.root = \(targets) AND t.s = o.\(link.from.key) "
                + "WHERE m.root = \(rows) AND m.state \(isWritten) AND o.\(link.from.key) NOT NULL"
                + (isAlone && !isInRow ? " AND t.state \(isWritten)" : ""))
        try connection.execute(
            "INSERT INTO ferry_links SELECT m.d, m.state, t.d, t.state, \(order), m.s FROM \(Self.merged) t "
                + "CROSS JOIN \(link.from.table) o ON o.\(link.from.key) = t.s "
                + "LEFT JOIN \(Self.merged) m ON m.root = \(rows) AND m.s = o.Z_PK "
                + "WHERE t.root = \(targets) AND t.state \(isWritten) AND NOT ifnull(m.state, 9) \(isWritten)"
                + (isAlone && isInRow ? " AND 0; " : "; ")
                + "CREATE INDEX temp.ferry_links_k ON ferry_links (k); "
                + "CREATE INDEX temp.ferry_links_target ON ferry_links (target)")
        try leaveOut(link, "found IS NULL")
        // An existing object keeps its link.
        try leaveOut(
            link,
            "state > \(State.updated.rawValue) AND EXISTS (SELECT 1 FROM \(link.to.table) d WHERE d.Z_PK = k "
                + "AND d.\(link.to.key) NOT NULL AND d.\(link.to.key) <> target)")
        if link.isOneToOne { try makeRoom(for: link) }
        try point(link)
        try connection.execute("DROP TABLE temp.ferry_links")
    }

    private func leaveOut(_ link: KeyLink, _ condition: String) throws {
        // In a one-to-one relationship, the rows of both sides have the link: it is counted where its row was written.
        let counted = link.isOneToOne ? " AND state <= \(State.updated.rawValue)" : ""
        let count = try connection.value("SELECT count(*) FROM temp.ferry_links WHERE (\(condition))\(counted)")
        try connection.execute("DELETE FROM temp.ferry_links WHERE \(condition)")
        leaveOut(link.relationship, count.integer ?? 0)
    }

    /// Removes the links of a one-to-one relationship that new ones replace.
    private func makeRoom(for link: KeyLink) throws {
        guard let inverse = link.relationship.inverse, let back = LinkColumn(toOne: inverse.key, in: destination) else {
            return
        }
        try leaveOut(
            link,
            "targetState > \(State.updated.rawValue) AND EXISTS (SELECT 1 FROM \(back.table) d WHERE d.Z_PK = target "
                + "AND d.\(back.key) NOT NULL AND d.\(back.key) <> k)")
        let column = link.to
        for (column, key, other) in [(column, "target", "k"), (back, "k", "target")] {
            try connection.execute(
                column.clearing(
                    where: "s.\(column.key) IN (SELECT \(key) FROM temp.ferry_links) AND NOT EXISTS "
                        + "(SELECT 1 FROM temp.ferry_links l WHERE l.\(key) = s.\(column.key) AND l.\(other) = s.Z_PK)")
            )
        }
    }

    private func point(_ link: KeyLink) throws {
        guard let table = destination.table(ofEntity: link.target) else { return }
        let column = link.to
        var sets = ["\(column.key) = l.target", ObjectVersion.raised("s")]
        if let entity = column.entity {
            sets.append(
                "\(entity) = (SELECT e.Z_ENT FROM main.\(SQLiteIdentifier.quoted(table.name)) e WHERE e.Z_PK = l.target)"
            )
        }
        if let order = column.order {
            // A new list has the order of the source; objects are appended to an existing one.
            try connection.execute(
                "UPDATE temp.ferry_links AS l SET place = (SELECT ifnull(max(d.\(order)), \(OrderKeys.step)) "
                    + "FROM \(column.table) d WHERE d.\(column.key) = l.target) + \(OrderKeys.step) * n FROM "
                    + "(SELECT rowid AS r, row_number() OVER (PARTITION BY target ORDER BY place, k) AS n "
                    + "FROM temp.ferry_links) WHERE r = l.rowid AND l.targetState <> \(State.inserted.rawValue)")
            sets.append("\(order) = l.place")
        }
        try connection.execute(
            "UPDATE \(column.table) AS s SET \(sets.joined(separator: ", ")) FROM temp.ferry_links l "
                + "WHERE l.k = s.Z_PK AND s.\(column.key) IS NOT l.target")
    }

    // MARK: Join tables

    private func join(_ relationship: ResolvedRelationship) throws {
        guard let from = LinkPlace(relationship, layout: selection.source),
            let to = LinkPlace(relationship, layout: destination)
        else { return }
        let (owners, destinations) = (root(relationship.owner), root(relationship.destination))
        let isWritten = "<= \(State.updated.rawValue)"
        let links = "\(MergeSelection.database).\(from.table)"
        func place(_ column: String?) -> String { column.map { "j.\($0)" } ?? "NULL" }
        func select(_ first: String, _ second: String, _ condition: String) -> String {
            "SELECT o.d, o.state, t.d, t.state, \(place(from.order)), \(place(from.inverseOrder)) FROM \(first) "
                + "\(second) WHERE \(condition)"
        }
        func merged(_ alias: String, _ root: Int, _ column: String) -> String {
            "LEFT JOIN \(Self.merged) \(alias) ON \(alias).root = \(root) AND \(alias).s = j.\(column)"
        }
        try connection.execute(
            "CREATE TEMP TABLE ferry_links (k INTEGER, state INTEGER, target INTEGER, targetState INTEGER, place INTEGER, "
                + "inversePlace INTEGER)")
        try connection.execute(
            "INSERT INTO ferry_links "
                + select(
                    "\(Self.merged) o CROSS JOIN \(links) j ON j.\(from.owner) = o.s",
                    merged("t", destinations, from.destination), "o.root = \(owners) AND o.state \(isWritten)"))
        try connection.execute(
            "INSERT INTO ferry_links "
                + select(
                    "\(Self.merged) t CROSS JOIN \(links) j ON j.\(from.destination) = t.s",
                    merged("o", owners, from.owner),
                    "t.root = \(destinations) AND t.state \(isWritten) AND NOT ifnull(o.state, 9) \(isWritten)"))
        try connection.execute("DELETE FROM ferry_links WHERE k IS NULL OR target IS NULL")
        // A link of a relationship that is its own inverse is stored twice.
        leaveOut(relationship, from.isSymmetric ? (connection.changes + 1) / 2 : connection.changes)
        try connection.execute(
            "DELETE FROM ferry_links WHERE EXISTS (SELECT 1 FROM main.\(to.table) d WHERE d.\(to.owner) = k "
                + "AND d.\(to.destination) = target)")
        try insert(to)
        try count(relationship)
        try connection.execute("DROP TABLE temp.ferry_links")
    }

    private func insert(_ to: LinkPlace) throws {
        var columns = [to.owner, to.destination]
        var values = ["l.k", "l.target"]
        for (order, own, other, state, place, column) in [
            (to.order, "k", "target", "state", "place", to.owner),
            (to.inverseOrder, "target", "k", "targetState", "inversePlace", to.destination),
        ] {
            guard let order, !columns.contains(order) else { continue }
            columns.append(order)
            values.append(
                "iif(l.\(state) = \(State.inserted.rawValue), l.\(place), (SELECT ifnull(max(d.\(order)), "
                    + "\(OrderKeys.step)) FROM main.\(to.table) d WHERE d.\(column) = l.\(own)) + \(OrderKeys.step) * "
                    + "row_number() OVER (PARTITION BY l.\(own) ORDER BY l.\(place), l.\(other)))")
        }
        try connection.execute(
            "INSERT INTO main.\(to.table) (\(columns.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) "
                + "FROM temp.ferry_links l")
    }

    /// Increments the versions of the existing objects at both ends.
    private func count(_ relationship: ResolvedRelationship) throws {
        var keys: [Int: [String]] = [:]
        keys[root(relationship.owner), default: []].append("SELECT k FROM temp.ferry_links")
        keys[root(relationship.destination), default: []].append("SELECT target FROM temp.ferry_links")
        for (root, keys) in keys.sorted(by: { $0.key < $1.key }) {
            guard let table = destination.table(ofEntity: root) else { continue }
            try connection.execute(
                "UPDATE main.\(SQLiteIdentifier.quoted(table.name)) SET \(ObjectVersion.raised()) "
                    + "WHERE Z_PK IN (\(keys.joined(separator: " UNION ")))")
        }
    }
}
