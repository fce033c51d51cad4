import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Removes objects that an import made, with all that leads to them.
struct ObjectRemoval {
    private struct Column {
        let table: String
        let root: Int
        let name: String
        let rawTable: String
        let rawName: String
        let cleared: [String]
        /// The relationship that needs the object; nil where it may be empty.
        let required: String?
    }

    private let connection: Connection
    private let layout: StoreLayout
    private let indexes: IndexKeeper

    init(_ connection: Connection, layout: StoreLayout, indexes: IndexKeeper) {
        self.connection = connection
        self.layout = layout
        self.indexes = indexes
    }

    /// Removes an object.
    ///
    /// - Parameter dependent: gets each object that needs it, with its root and the relationship.
    func remove(
        _ primaryKey: Int64, root: Int, dependent: (_ primaryKey: Int64, _ root: Int, _ property: String) throws -> Void
    ) throws {
        for column in columns(leadingTo: root) {
            try indexes.require([column.rawName], of: column.rawTable)
            if let property = column.required {
                let statement = try connection.prepare("SELECT Z_PK FROM \(column.table) WHERE \(column.name) = ?1")
                try statement.bindInteger(primaryKey, at: 1)
                while try statement.step() {
                    let key = statement.integer(0)
                    if column.root != root || key != primaryKey { try dependent(key, column.root, property) }
                }
                statement.reset()
            }
            let cleared = column.cleared.map { "\($0) = NULL" }.joined(separator: ", ")
            try connection.execute(
                "UPDATE \(column.table) SET \(cleared) WHERE \(column.name) = ?", [.integer(primaryKey)])
        }
        for join in layout.joinTables {
            for (key, column) in [(join.relationship, join.ownerColumn), (join.inverse, join.destinationColumn)]
            where layout.model.entities[key.owner].root == root {
                try connection.execute(
                    "DELETE FROM \(SQLiteIdentifier.quoted(join.name)) WHERE \(SQLiteIdentifier.quoted(column)) = ?",
                    [.integer(primaryKey)])
            }
        }
        if let table = layout.tables.first(where: { $0.root == root }) {
            try connection.execute(
                "DELETE FROM \(SQLiteIdentifier.quoted(table.name)) WHERE Z_PK = ?", [.integer(primaryKey)])
        }
    }

    /// Whether something leads to an object.
    func isReferenced(_ primaryKey: Int64, root: Int) throws -> Bool {
        for column in columns(leadingTo: root) {
            try indexes.require([column.rawName], of: column.rawTable)
            let found = try connection.value(
                "SELECT 1 FROM \(column.table) WHERE \(column.name) = ? LIMIT 1", [.integer(primaryKey)])
            if found != .null { return true }
        }
        for join in layout.joinTables {
            for (key, column) in [(join.relationship, join.ownerColumn), (join.inverse, join.destinationColumn)]
            where layout.model.entities[key.owner].root == root {
                let found = try connection.value(
                    "SELECT 1 FROM \(SQLiteIdentifier.quoted(join.name)) WHERE \(SQLiteIdentifier.quoted(column)) = ? LIMIT 1",
                    [.integer(primaryKey)])
                if found != .null { return true }
            }
        }
        return false
    }

    private func columns(leadingTo root: Int) -> [Column] {
        var found: [Column] = []
        for entity in layout.model.entities {
            for relationship in entity.declaredRelationships where relationship.isStored {
                let roles: (key: EntityColumn.Role, entity: EntityColumn.Role, order: EntityColumn.Role)
                let (owner, destination): (Int, Int)
                switch relationship.storage {
                case .toOne:
                    roles = (.toOne(relationship.key), .toOneEntity(relationship.key), .toOneOrder(relationship.key))
                    (owner, destination) = (entity.slot, relationship.destination)
                case .unidirectional:
                    roles = (
                        .unidirectional(relationship.key), .unidirectionalEntity(relationship.key),
                        .unidirectionalOrder(relationship.key)
                    )
                    (owner, destination) = (relationship.destination, entity.slot)
                case .inverseToOne, .joinTable: continue
                }
                guard layout.model.entities[destination].root == root, let table = layout.table(ofEntity: owner),
                    let key = layout.column(roles.key)
                else { continue }
                let names = [key, layout.column(roles.entity), layout.column(roles.order)].compactMap { $0?.name }
                found.append(
                    Column(
                        table: SQLiteIdentifier.quoted(table.name), root: table.root,
                        name: SQLiteIdentifier.quoted(key.name), rawTable: table.name, rawName: key.name,
                        cleared: names.map { SQLiteIdentifier.quoted($0) },
                        required: relationship.storage == .toOne && !relationship.isOptional ? relationship.name : nil))
            }
        }
        return found
    }
}
