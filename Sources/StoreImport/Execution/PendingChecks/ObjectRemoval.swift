import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The removal of objects that an import created, with all links to them.
final class ObjectRemoval {
    /// A column with keys that may lead to an object.
    private struct Column {
        let root: Int
        /// The to-one relationship of the column; nil if the column holds links of another object's list.
        let toOne: ResolvedRelationship?
        /// The statement that selects the other objects whose column leads to an object.
        let find: Statement
        let clear: Statement
    }

    /// The rows of a join table that may lead to an object.
    private struct Join {
        /// The statement that selects a row which leads from another object to an object.
        let find: Statement
        let delete: Statement
    }

    /// Everything that may lead to the objects of a table.
    private struct Ways {
        let columns: [Column]
        let joins: [Join]
        let delete: Statement?
    }

    private let connection: Connection
    private let layout: StoreLayout
    private let indexes: IndexKeeper
    private var ways: [Int: Ways] = [:]

    init(_ connection: Connection, layout: StoreLayout, indexes: IndexKeeper) {
        self.connection = connection
        self.layout = layout
        self.indexes = indexes
    }

    /// Removes an object.
    ///
    /// - Parameters:
    ///   - primaryKey: the primary key of the object.
    ///   - root: the slot of its root entity.
    ///   - leaving: called with each object whose to-one relationship leads to the removed object: its primary key, the
    ///     slot of its root entity, and the relationship.
    func remove(
        _ primaryKey: Int64, root: Int,
        leaving: (_ primaryKey: Int64, _ root: Int, _ toOne: ResolvedRelationship) throws -> Void
    ) throws {
        let ways = try ways(to: root)
        for column in ways.columns {
            if let toOne = column.toOne {
                try column.find.bindInteger(primaryKey, at: 1)
                while try column.find.step() { try leaving(column.find.integer(0), column.root, toOne) }
                column.find.reset()
            }
            try column.clear.run(primaryKey)
        }
        for join in ways.joins { try join.delete.run(primaryKey) }
        try ways.delete?.run(primaryKey)
    }

    /// Returns whether another object leads to an object.
    func isReferenced(_ primaryKey: Int64, root: Int) throws -> Bool {
        let ways = try ways(to: root)
        for statement in ways.columns.map(\.find) + ways.joins.map(\.find) {
            try statement.bindInteger(primaryKey, at: 1)
            defer { statement.reset() }
            if try statement.step() { return true }
        }
        return false
    }

    /// Returns everything that may lead to the objects of a table, and creates the indexes that are needed to search
    /// it.
    private func ways(to root: Int) throws -> Ways {
        if let known = ways[root] { return known }
        var joins: [Join] = []
        for join in layout.joinTables {
            let (relationship, inverse) = (join.relationship, join.inverse)
            let isOwn = [relationship, inverse].allSatisfy { layout.model.entities[$0.owner].root == root }
            for (key, column, other) in [
                (relationship, join.ownerColumn, join.destinationColumn),
                (inverse, join.destinationColumn, join.ownerColumn),
            ] where layout.model.entities[key.owner].root == root {
                try indexes.require([column], of: join.name)
                let rows = "FROM \(SQLiteIdentifier.quoted(join.name)) WHERE \(SQLiteIdentifier.quoted(column)) = ?1"
                let others = isOwn ? " AND \(SQLiteIdentifier.quoted(other)) <> ?1" : ""
                joins.append(
                    Join(
                        find: try connection.prepare("SELECT 1 \(rows)\(others) LIMIT 1", persistent: true),
                        delete: try connection.prepare("DELETE \(rows)", persistent: true)))
            }
        }
        let table = layout.tables.first { $0.root == root }
        let made = Ways(
            columns: try columns(leadingTo: root), joins: joins,
            delete: try table.map {
                try connection.prepare(
                    "DELETE FROM \(SQLiteIdentifier.quoted($0.name)) WHERE Z_PK = ?1", persistent: true)
            })
        ways[root] = made
        return made
    }

    private func columns(leadingTo root: Int) throws -> [Column] {
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
                try indexes.require([key.name], of: table.name)
                let cleared = [key, layout.column(roles.entity), layout.column(roles.order)].compactMap { column in
                    column.map { "\(SQLiteIdentifier.quoted($0.name)) = NULL" }
                }
                let (name, column) = (SQLiteIdentifier.quoted(table.name), SQLiteIdentifier.quoted(key.name))
                let others = table.root == root ? " AND Z_PK <> ?1" : ""
                found.append(
                    Column(
                        root: table.root,
                        toOne: relationship.storage == .toOne ? relationship : nil,
                        find: try connection.prepare(
                            "SELECT Z_PK FROM \(name) WHERE \(column) = ?1\(others)", persistent: true),
                        clear: try connection.prepare(
                            "UPDATE \(name) SET \(cleared.joined(separator: ", ")) WHERE \(column) = ?1",
                            persistent: true)))
            }
        }
        return found
    }
}

extension Statement {
    /// Runs the statement with a key as its only parameter.
    fileprivate func run(_ key: Int64) throws(SQLiteError) {
        try bindInteger(key, at: 1)
        try run()
    }
}
