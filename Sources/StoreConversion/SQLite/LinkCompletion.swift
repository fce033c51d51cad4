import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreAssembly

/// Completes the links of a new store after all objects have been added: it enters lists, removes references to missing
/// objects, adds missing directions, and sets the entity numbers of destinations.
struct LinkCompletion {
    let writer: SQLiteObjectWriter
    let layout: StoreLayout
    let connection: Connection

    init(_ writer: SQLiteObjectWriter) {
        self.writer = writer
        layout = writer.layout
        connection = writer.connection
    }

    func run() throws(SQLiteError) {
        for entity in layout.model.entities {
            for relationship in entity.declaredRelationships where relationship.isStored {
                try enterList(of: relationship)
            }
        }
        for entity in layout.model.entities {
            for relationship in entity.declaredRelationships
            where relationship.isStored && relationship.storage == .toOne {
                try complete(toOne: relationship)
            }
        }
        for join in layout.joinTables { try complete(join) }
        try connection.execute("DROP TABLE IF EXISTS \(WaitingLists.table)")
    }

    // MARK: Lists

    private func enterList(of relationship: ResolvedRelationship) throws(SQLiteError) {
        let place = ListPlace(relationship, layout)
        switch writer.rows.list(of: relationship.key) {
        case nil: return
        case .join(let oneSided):
            writer.findings.add(.oneSidedRelationship, subject(relationship), count: oneSided)
        case .rows(let list): report(list, subject(relationship))
        case .waiting(let number):
            if let place {
                try enter(relationship, number, place)
            } else {
                try enterJoin(relationship, number)
            }
        }
        guard let place else { return }
        if !place.isShared, let entity = place.entity {
            try fillEntityNumbers(entity, from: place.column, in: place.table, destination: relationship.owner)
        }
    }

    /// Reports the faults of lists that are already in the rows.
    private func report(_ list: ListedLinks, _ name: String) {
        let faults: [(ConversionFinding.Code, ListedLinks.Faults)] = [
            (.danglingReference, list.dangling), (.oneSidedRelationship, list.oneSided),
            (.conflictingInverse, list.conflicting),
        ]
        for (code, found) in faults where found.count > 0 {
            writer.findings.add(code, name, count: found.count)
            for owner in found.owners { writer.findings.add(key: owner, to: code, name) }
        }
    }

    private func enter(
        _ relationship: ResolvedRelationship, _ number: Int64, _ place: ListPlace
    ) throws(SQLiteError) {
        let name = subject(relationship)
        let (t, c) = (quoted(place.table.name), quoted(place.column.name))
        let isKind = kind(of: relationship.destination, alias: "t").map { " AND " + $0 } ?? ""
        let counts =
            try connection.rows(
                "SELECT count(*) FILTER (WHERE t.Z_PK IS NULL), "
                    + "count(*) FILTER (WHERE t.Z_PK IS NOT NULL AND t.\(c) IS NULL), "
                    + "count(*) FILTER (WHERE t.\(c) <> l.owner), count(*) - count(DISTINCT l.destination) "
                    + "FROM \(WaitingLists.table) l LEFT JOIN \(t) t ON t.Z_PK = l.destination\(isKind) "
                    + "WHERE l.list = \(number)"
            ).first ?? []
        /// Counts a fault, and records the keys of some owners.
        func add(_ code: ConversionFinding.Code, _ count: Int64, _ condition: String) throws(SQLiteError) {
            guard count > 0 else { return }
            writer.findings.add(code, name, count: count)
            for row in try connection.rows(
                "SELECT l.owner FROM \(WaitingLists.table) l LEFT JOIN \(t) t ON t.Z_PK = l.destination\(isKind) "
                    + "WHERE l.list = \(number) AND \(condition) "
                    + "ORDER BY l.destination < 0, abs(l.destination), l.rowid LIMIT 3")
            {
                writer.findings.add(key: row[0].integer ?? 0, to: code, name)
            }
        }
        try add(.danglingReference, counts[0].integer ?? 0, "t.Z_PK IS NULL")
        if place.isShared {
            try add(.oneSidedRelationship, counts[1].integer ?? 0, "t.Z_PK IS NOT NULL AND t.\(c) IS NULL")
            try add(.conflictingInverse, counts[2].integer ?? 0, "t.\(c) <> l.owner")
        } else {
            // An object can be in only one such list, because the column holds one owner.
            writer.findings.add(.conflictingInverse, name, count: counts[3].integer ?? 0)
        }
        let orderPart = place.order.map { ", \(quoted($0.name)) = \(OrderKeys.key(at: "l.position"))" } ?? ""
        try connection.execute(
            "UPDATE \(t) AS t SET \(c) = l.owner\(orderPart) FROM \(WaitingLists.table) l "
                + "WHERE l.list = \(number) AND t.Z_PK = l.destination\(isKind) "
                + "AND (t.\(c) IS NULL OR t.\(c) = l.owner)")
        if let order = place.order { try appendUnordered(place.table, column: place.column, order: order) }
    }

    /// Objects that are only in an ordered relationship because of their to-one are appended after the others.
    private func appendUnordered(
        _ table: EntityTable, column: EntityColumn, order: EntityColumn
    ) throws(SQLiteError) {
        let (t, c, o) = (quoted(table.name), quoted(column.name), quoted(order.name))
        let missing = try connection.value("SELECT 1 FROM \(t) WHERE \(c) IS NOT NULL AND \(o) IS NULL LIMIT 1")
        guard !missing.isNull else { return }
        try connection.execute(
            "UPDATE \(t) AS t SET \(o) = n.last + \(OrderKeys.step) * n.place FROM (SELECT Z_PK AS pk, "
                + "row_number() OVER (PARTITION BY \(c) ORDER BY Z_PK) AS place, "
                + "ifnull((SELECT max(m.\(o)) FROM \(t) m WHERE m.\(c) = u.\(c)), "
                + "\(OrderKeys.first - OrderKeys.step)) AS last "
                + "FROM \(t) u WHERE \(c) IS NOT NULL AND \(o) IS NULL) n WHERE t.Z_PK = n.pk")
    }

    private func enterJoin(_ relationship: ResolvedRelationship, _ number: Int64) throws(SQLiteError) {
        guard let join = layout.joinTable(of: relationship.key) else { return }
        let side = join.side(of: relationship.key)
        let (j, owner, destination) = (quoted(join.name), quoted(side.owner), quoted(side.destination))
        let before = connection.totalChanges
        try connection.execute(
            "INSERT OR IGNORE INTO \(j) (\(owner), \(destination)) "
                + "SELECT owner, destination FROM \(WaitingLists.table) WHERE list = \(number)")
        writer.findings.add(.oneSidedRelationship, subject(relationship), count: connection.totalChanges - before)
        if let order = side.order {
            try connection.execute(
                "UPDATE \(j) SET \(quoted(order)) = \(OrderKeys.key(at: "l.position")) FROM \(WaitingLists.table) l "
                    + "WHERE l.list = \(number) AND \(j).\(owner) = l.owner AND \(j).\(destination) = l.destination")
        }
    }

    // MARK: To-ones

    private func complete(toOne relationship: ResolvedRelationship) throws(SQLiteError) {
        guard let column = layout.column(.toOne(relationship.key)),
            let table = layout.table(ofEntity: relationship.owner),
            let destination = layout.table(ofEntity: relationship.destination)
        else { return }
        let (t, c, d) = (quoted(table.name), quoted(column.name), quoted(destination.name))
        let isKind = kind(of: relationship.destination, alias: "d").map { " AND " + $0 } ?? ""
        if writer.keepsFaults {
            if let entityColumn = layout.column(.toOneEntity(relationship.key)) {
                try fillEntityNumbers(entityColumn, from: column, in: table, destination: relationship.destination)
            }
            return
        }
        let entityPart = layout.column(.toOneEntity(relationship.key)).map { ", \(quoted($0.name)) = NULL" } ?? ""
        if !writer.hasProvenLinks || !isKind.isEmpty {
            try connection.execute(
                "UPDATE \(t) SET \(c) = NULL\(entityPart) WHERE \(c) IS NOT NULL AND NOT EXISTS "
                    + "(SELECT 1 FROM \(d) d WHERE d.Z_PK = \(t).\(c)\(isKind))")
            writer.findings.add(.danglingReference, subject(relationship), count: connection.changes)
        }
        if let inverse = relationship.inverse, !inverse.isToMany,
            let pair = writer.plan.relationships[relationship.key]?.pair, !writer.agrees(pair),
            let inverseColumn = layout.column(.toOne(inverse.key))
        {
            // If one of the two directions of a one-to-one relationship is missing, the other one determines the
            // object.
            let i = quoted(inverseColumn.name)
            try connection.execute(
                "UPDATE \(t) AS t SET \(c) = s.pk FROM (SELECT \(i) AS owner, min(Z_PK) AS pk FROM \(d) "
                    + "WHERE \(i) IS NOT NULL GROUP BY \(i)) s WHERE t.Z_PK = s.owner AND t.\(c) IS NULL")
            writer.findings.add(.oneSidedRelationship, subject(relationship), count: connection.changes)
        }
        if let entityColumn = layout.column(.toOneEntity(relationship.key)) {
            try fillEntityNumbers(entityColumn, from: column, in: table, destination: relationship.destination)
        }
    }

    private func fillEntityNumbers(
        _ entityColumn: EntityColumn, from column: EntityColumn, in table: EntityTable, destination: Int
    ) throws(SQLiteError) {
        guard let other = layout.table(ofEntity: destination) else { return }
        let (t, c, e) = (quoted(table.name), quoted(column.name), quoted(entityColumn.name))
        let number = "(SELECT d.Z_ENT FROM \(quoted(other.name)) d WHERE d.Z_PK = \(t).\(c))"
        try connection.execute(
            "UPDATE \(t) SET \(e) = \(number) WHERE \(c) IS NOT NULL AND \(e) IS NOT \(number)")
    }

    // MARK: Join tables

    private func complete(_ join: JoinTable) throws(SQLiteError) {
        if writer.keepsFaults {
            let sides = [(join.ownerColumn, join.orderColumn), (join.destinationColumn, join.inverseOrderColumn)]
            for (column, order) in sides {
                if let order { try appendUnordered(quoted(join.name), owner: quoted(column), order: quoted(order)) }
            }
            return
        }
        let key = join.relationship
        guard let relationship = layout.model.relationship(key),
            let owners = layout.table(ofEntity: relationship.owner),
            let destinations = layout.table(ofEntity: relationship.destination)
        else { return }
        let (j, o, d) = (quoted(join.name), quoted(join.ownerColumn), quoted(join.destinationColumn))
        func isThere(_ column: String, _ table: EntityTable, _ entity: Int) -> String {
            let isKind = kind(of: entity, alias: "d").map { " AND " + $0 } ?? ""
            return "EXISTS (SELECT 1 FROM \(quoted(table.name)) d WHERE d.Z_PK = \(j).\(column)\(isKind))"
        }
        let isProven =
            writer.hasProvenLinks && kind(of: relationship.owner, alias: "d") == nil
            && kind(of: relationship.destination, alias: "d") == nil
        if !isProven {
            try connection.execute(
                "DELETE FROM \(j) WHERE NOT \(isThere(o, owners, relationship.owner)) "
                    + "OR NOT \(isThere(d, destinations, relationship.destination))")
            writer.findings.add(.danglingReference, subject(relationship), count: connection.changes)
        }
        if join.isSelfInverse, let pair = writer.plan.relationships[join.relationship]?.pair, !writer.agrees(pair) {
            let before = connection.totalChanges
            try connection.execute("INSERT OR IGNORE INTO \(j) (\(o), \(d)) SELECT \(d), \(o) FROM \(j)")
            writer.findings.add(.oneSidedRelationship, subject(relationship), count: connection.totalChanges - before)
        }
        for (column, order) in [(o, join.orderColumn), (d, join.inverseOrderColumn)] {
            guard let order else { continue }
            try appendUnordered(j, owner: column, order: quoted(order))
        }
    }

    private func appendUnordered(_ j: String, owner: String, order: String) throws(SQLiteError) {
        let missing = try connection.value("SELECT 1 FROM \(j) WHERE \(order) IS NULL LIMIT 1")
        guard !missing.isNull else { return }
        try connection.execute(
            "UPDATE \(j) AS t SET \(order) = n.last + \(OrderKeys.step) * n.place FROM (SELECT rowid AS id, "
                + "row_number() OVER (PARTITION BY \(owner) ORDER BY rowid) AS place, "
                + "ifnull((SELECT max(m.\(order)) FROM \(j) m WHERE m.\(owner) = u.\(owner)), "
                + "\(OrderKeys.first - OrderKeys.step)) AS last FROM \(j) u WHERE \(order) IS NULL) n "
                + "WHERE t.rowid = n.id")
    }

    // MARK: Words

    private func subject(_ relationship: ResolvedRelationship) -> String {
        "\(layout.model.entities[relationship.owner].name).\(relationship.name)"
    }

    private func quoted(_ name: String) -> String { SQLiteIdentifier.quoted(name) }

    /// Returns a condition for the rows of an entity; nil if all rows of the table satisfy it.
    private func kind(of slot: Int, alias: String) -> String? {
        layout.numbers(ofKindsOf: slot).map { numbers in
            "\(alias).Z_ENT IN (\(numbers.sorted().map(String.init).joined(separator: ", ")))"
        }
    }
}

extension StoreLayout {
    /// Returns the numbers of an entity and its subentities; nil if all rows of the table have one of them.
    func numbers(ofKindsOf slot: Int) -> Set<Int64>? {
        let entity = model.entities[slot]
        guard entity.subtree.count < model.entities[entity.root].subtree.count else { return nil }
        return Set(entity.subtree.map { Int64(entityNumbers[$0]) })
    }
}
