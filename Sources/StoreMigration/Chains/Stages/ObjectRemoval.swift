import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Removes objects by the delete rules of their relationships, as a save of the app would.
///
/// The objects to go stand in a temporary table: what a cascade takes along joins them until nothing new comes. An
/// object with a relationship that denies stays an error. All other links to them are taken away.
struct ObjectRemoval {
    let connection: Connection
    let layout: StoreLayout

    /// The edit, for errors.
    let edit: String

    private static let table = "temp.FERRY_REMOVED"

    /// - Parameter condition: over the rows `s` of the entity's table.
    /// - Returns: how many objects went, those of a cascade among them.
    func remove(_ slot: Int, where condition: String) throws -> Int64 {
        guard let table = layout.table(ofEntity: slot) else { return 0 }
        try connection.execute("CREATE TEMP TABLE FERRY_REMOVED (root INTEGER, k INTEGER, PRIMARY KEY (root, k))")
        defer { try? connection.execute("DROP TABLE \(Self.table)") }
        try connection.execute(
            "INSERT INTO \(Self.table) SELECT \(table.root), s.Z_PK FROM \(name(table)) s WHERE \(condition)")
        let links = layout.model.entities.flatMap { entity in
            entity.relationships.filter { $0.isStored && $0.owner == entity.slot }.flatMap { self.links($0) }
        }
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for link in links where link.relationship.description.deleteRule == .cascade {
                try connection.execute(
                    "INSERT OR IGNORE INTO \(Self.table) SELECT \(link.destinationRoot), \(link.destination) \(link.from) "
                        + "AND \(removed(link.ownerRoot, link.owner)) AND \(link.destination) IS NOT NULL")
                if connection.changes > 0 { isGrowing = true }
            }
        }
        for link in links where link.relationship.description.deleteRule == .deny {
            let count =
                try connection.value(
                    "SELECT count(*) \(link.from) AND \(removed(link.ownerRoot, link.owner)) AND \(link.destination) "
                        + "IS NOT NULL AND NOT \(removed(link.destinationRoot, link.destination))"
                ).integer ?? 0
            if count > 0 {
                throw StoreEditError(
                    edit: edit,
                    reason:
                        "\(layout.model.entities[link.relationship.owner].name).\(link.relationship.name) denies it "
                        + "(error 1600): \(count) objects that would go have such links; delete what they lead to first"
                )
            }
        }
        try takeLinksAway()
        var count: Int64 = 0
        for table in layout.tables {
            try connection.execute("DELETE FROM \(name(table)) WHERE \(removed(table.root, "Z_PK"))")
            count += connection.changes
        }
        return count
    }

    private func takeLinksAway() throws(SQLiteError) {
        for table in layout.tables {
            for column in table.columns {
                let target: Int
                var companions: [EntityColumn]
                switch column.role {
                case .toOne(let key):
                    guard let relationship = relationship(key) else { continue }
                    target = relationship.destination
                    companions = table.columns.filter {
                        $0.role == .toOneEntity(key) || $0.role == .toOneOrder(key)
                    }
                case .unidirectional(let key):
                    target = key.owner
                    companions = table.columns.filter {
                        $0.role == .unidirectionalEntity(key) || $0.role == .unidirectionalOrder(key)
                    }
                default: continue
                }
                let root = layout.model.entities[target].root
                let sets = ([column] + companions).map { "\(SQLiteIdentifier.quoted($0.name)) = NULL" }
                try connection.execute(
                    "UPDATE \(name(table)) SET \(sets.joined(separator: ", ")) WHERE "
                        + removed(root, SQLiteIdentifier.quoted(column.name)))
            }
        }
        for entity in layout.model.entities {
            for relationship in entity.relationships where relationship.owner == entity.slot {
                guard let join = layout.joinTable(of: relationship.key) else { continue }
                let side = join.side(of: relationship.key)
                let (owner, other) = (root(relationship.owner), root(relationship.destination))
                try connection.execute(
                    "DELETE FROM main.\(SQLiteIdentifier.quoted(join.name)) WHERE "
                        + "\(removed(owner, SQLiteIdentifier.quoted(side.owner))) OR "
                        + removed(other, SQLiteIdentifier.quoted(side.destination)))
            }
        }
    }

    // MARK: - SQL

    private struct Link {
        let relationship: ResolvedRelationship
        let ownerRoot: Int
        let destinationRoot: Int
        let owner: String
        let destination: String
        /// `FROM ... WHERE ...`
        let from: String
    }

    /// Where the links of a relationship stand.
    private func links(_ relationship: ResolvedRelationship) -> [Link] {
        func link(_ owner: String, _ destination: String, _ from: String) -> [Link] {
            [
                Link(
                    relationship: relationship, ownerRoot: root(relationship.owner),
                    destinationRoot: root(relationship.destination), owner: owner, destination: destination, from: from)
            ]
        }
        func rows(_ slot: Int) -> String? {
            guard let table = layout.table(ofEntity: slot) else { return nil }
            let numbers = layout.model.entities[slot].subtree.map { String(layout.entityNumbers[$0]) }
            return "FROM \(name(table)) s WHERE s.Z_ENT IN (\(numbers.joined(separator: ", ")))"
        }
        switch relationship.storage {
        case .toOne:
            guard let column = layout.column(.toOne(relationship.key)), let rows = rows(relationship.owner)
            else { return [] }
            return link("s.Z_PK", "s.\(SQLiteIdentifier.quoted(column.name))", rows)
        case .inverseToOne:
            guard let inverse = relationship.inverse, let column = layout.column(.toOne(inverse.key)),
                let rows = rows(relationship.destination)
            else { return [] }
            return link("s.\(SQLiteIdentifier.quoted(column.name))", "s.Z_PK", rows)
        case .unidirectional:
            guard let column = layout.column(.unidirectional(relationship.key)),
                let rows = rows(relationship.destination)
            else { return [] }
            return link("s.\(SQLiteIdentifier.quoted(column.name))", "s.Z_PK", rows)
        case .joinTable:
            guard let join = layout.joinTable(of: relationship.key) else { return [] }
            let side = join.side(of: relationship.key)
            return link(
                "s.\(SQLiteIdentifier.quoted(side.owner))", "s.\(SQLiteIdentifier.quoted(side.destination))",
                "FROM main.\(SQLiteIdentifier.quoted(join.name)) s WHERE 1")
        }
    }

    private func relationship(_ key: PropertyKey) -> ResolvedRelationship? {
        layout.model.entities[key.owner].relationships.first { $0.key == key }
    }

    private func root(_ slot: Int) -> Int { layout.model.entities[slot].root }

    private func removed(_ root: Int, _ key: String) -> String {
        "EXISTS (SELECT 1 FROM \(Self.table) r WHERE r.root = \(root) AND r.k = \(key))"
    }

    private func name(_ table: EntityTable) -> String { "main.\(SQLiteIdentifier.quoted(table.name))" }
}
