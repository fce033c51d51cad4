import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreFetching

/// The objects of the source that a merge copies or links to: a temporary table of their root entities, keys and entity
/// numbers, with their keys in the destination.
struct MergeSelection {
    /// The state of an object; NULL until it is decided.
    enum State: Int {
        case inserted, updated, skipped
        /// It is only linked to, if it exists in the destination.
        case referenced
    }

    let connection: Connection
    let source: StoreLayout

    static let table = "temp.ferry_merge"
    /// The name of the attached source database.
    static let database = "source"

    init(_ connection: Connection, source: StoreLayout) throws {
        self.connection = connection
        self.source = source
        try connection.execute(
            "CREATE TEMP TABLE ferry_merge (root INTEGER, s INTEGER, number INTEGER, d INTEGER, state INTEGER, "
                + "generation INTEGER, PRIMARY KEY (root, s)) WITHOUT ROWID; "
                + "CREATE INDEX temp.ferry_merge_d ON ferry_merge (root, d); "
                + "CREATE TEMP TABLE ferry_level (k INTEGER PRIMARY KEY)")
    }

    func name(_ table: EntityTable) -> String { "\(Self.database).\(SQLiteIdentifier.quoted(table.name))" }

    // MARK: Choosing

    /// Adds the objects that satisfy a predicate.
    func add(_ entity: ResolvedEntity, _ keys: FetchCursor) throws {
        guard let table = source.table(ofEntity: entity.slot) else { return }
        let insert = try connection.prepare("INSERT OR IGNORE INTO temp.ferry_level VALUES (?)", persistent: true)
        while try keys.next() {
            try insert.bindInteger(keys.primaryKey, at: 1)
            try insert.run()
        }
        try addLevel(table)
    }

    private func addLevel(_ table: EntityTable) throws {
        try connection.execute(
            "INSERT OR IGNORE INTO \(Self.table) SELECT \(table.root), k, o.Z_ENT, NULL, NULL, 0 FROM temp.ferry_level "
                + "CROSS JOIN \(name(table)) o ON o.Z_PK = k")
    }

    /// Adds the destinations of the relationships along a path, beginning at the selected objects.
    func follow(_ path: String, from entity: ResolvedEntity) throws {
        guard let start = source.table(ofEntity: entity.slot) else { return }
        let numbers = entity.subtree.map { String(source.entityNumbers[$0]) }.joined(separator: ", ")
        try connection.execute(
            "DELETE FROM temp.ferry_level; INSERT INTO temp.ferry_level SELECT s FROM \(Self.table) "
                + "WHERE root = \(start.root) AND generation = 0 AND number IN (\(numbers))")
        var current = entity
        for part in path.split(separator: ".", omittingEmptySubsequences: false) {
            guard let relationship = current.relationship(named: String(part)), relationship.isStored else {
                throw MergeError.unknownProperty(String(part), of: current.name)
            }
            current = source.model.entities[relationship.destination]
            guard let place = LinkPlace(relationship, layout: source), let table = source.table(ofEntity: current.slot)
            else { return }
            try connection.execute(
                "CREATE TEMP TABLE ferry_next AS SELECT DISTINCT l.\(place.destination) AS k FROM temp.ferry_level v "
                    + "CROSS JOIN \(Self.database).\(place.table) l ON l.\(place.owner) = v.k "
                    + "WHERE l.\(place.destination) NOT NULL; DELETE FROM temp.ferry_level; "
                    + "INSERT INTO temp.ferry_level SELECT k FROM temp.ferry_next; DROP TABLE temp.ferry_next")
            try connection.execute(
                "INSERT OR IGNORE INTO \(Self.table) SELECT \(table.root), k, o.Z_ENT, NULL, NULL, 1 "
                    + "FROM temp.ferry_level CROSS JOIN \(name(table)) o ON o.Z_PK = k")
        }
    }

    /// Adds the destinations of relationships with the delete rule Cascade, recursively.
    func cascade() throws {
        // Objects that were added by paths are starting points, too.
        try connection.execute("UPDATE \(Self.table) SET generation = 0")
        let relationships = source.model.entities.flatMap(\.declaredRelationships).filter {
            $0.isStored && $0.description.deleteRule == .cascade
        }
        var generation = 0
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for relationship in relationships {
                if try add(behind: relationship, "r.generation = \(generation)", "NULL, \(generation + 1)") > 0 {
                    isGrowing = true
                }
            }
            generation += 1
        }
    }

    /// Adds the objects that are only linked to, if their entities have a key.
    func addReferences(to hasKey: (Int) -> Bool) throws {
        for relationship in source.model.entities.flatMap(\.declaredRelationships) where relationship.isStored {
            guard source.model.entities[relationship.destination].subtree.contains(where: hasKey) else { continue }
            _ = try add(behind: relationship, "r.state IS NULL", "\(State.referenced.rawValue), NULL")
        }
    }

    private func add(behind relationship: ResolvedRelationship, _ condition: String, _ values: String) throws -> Int64 {
        guard let place = LinkPlace(relationship, layout: source),
            let table = source.table(ofEntity: relationship.destination)
        else { return 0 }
        let root = source.model.entities[relationship.owner].root
        try connection.execute(
            "INSERT OR IGNORE INTO \(Self.table) SELECT \(table.root), o.Z_PK, o.Z_ENT, NULL, \(values) "
                + "FROM \(Self.table) r CROSS JOIN \(Self.database).\(place.table) l ON l.\(place.owner) = r.s "
                + "CROSS JOIN \(name(table)) o ON o.Z_PK = l.\(place.destination) "
                + "WHERE r.root = \(root) AND \(condition)")
        return connection.changes
    }
}
