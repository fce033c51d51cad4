import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Rows of a new store that the builder writes, table by table in the order of their keys.
///
/// A SQLite store is read in that order. In files of other types objects may stand in any: one that comes late waits on
/// disk, and SQLite inserts it when the file is whole.
final class OrderedStoreRows: NewStoreRows {
    private let rebuild: DatabaseRebuild
    private let layout: StoreLayout
    private let connection: Connection
    private let path: String
    /// By slot.
    private let values: [EntityValues?]
    private let appenders: [EntityAppender?]
    private let joins: [JoinAppender]
    /// By slot of the root entity.
    private var late: [LateRows?]

    private var indexes: [StoreIndex]
    var indexNames: Set<String> { Set(indexes.map(\.name)) }

    /// - Parameters:
    ///   - values: by slot; nil for entities without a table.
    ///   - indexes: those that the file gets.
    ///   - path: the store's path for messages.
    init(
        _ rebuild: DatabaseRebuild, _ values: [EntityValues?], indexes: [StoreIndex], layout: StoreLayout,
        connection: Connection, path: String
    ) throws {
        self.rebuild = rebuild
        self.values = values
        self.indexes = indexes
        self.layout = layout
        self.connection = connection
        self.path = path
        late = Array(repeating: nil, count: values.count)
        do throws(BuildError) {
            var appenders: [EntityAppender?] = []
            for values in values {
                guard let values, let table = layout.table(ofEntity: values.form.slot) else {
                    appenders.append(nil)
                    continue
                }
                appenders.append(
                    EntityAppender(
                        values, layout: layout, columns: table.columns, table: try rebuild.table(table.name)))
            }
            self.appenders = appenders
            var joins: [JoinAppender] = []
            for join in layout.joinTables { joins.append(JoinAppender(join, table: try rebuild.table(join.name))) }
            self.joins = joins
        } catch {
            throw Self.explained(error, path)
        }
    }

    func append(_ object: borrowing StoredObject) throws {
        guard let appender = appenders[object.slot] else { return }
        do {
            if let last = appender.table.lastRowID, object.key <= last {
                if object.key == last { throw duplicate(object.slot, object.key) }
                return try appendLate(object)
            }
            try appender.append(object)
        } catch let error as BuildError {
            throw Self.explained(error, path)
        }
    }

    private func appendLate(_ object: borrowing StoredObject) throws {
        guard let values = values[object.slot] else { return }
        let root = layout.model.entities[object.slot].root
        if let late = late[root] { return try late.insert(object, values) }
        guard let table = layout.table(ofEntity: object.slot) else { return }
        let rows = try LateRows(table, layout: layout, connection: connection)
        late[root] = rows
        try rows.insert(object, values)
    }

    func append(_ links: ArraySlice<Int64>, of owner: Int64, toJoinTable index: Int) throws {
        do throws(BuildError) {
            try joins[index].append(links, of: owner)
        } catch {
            throw Self.explained(error, path)
        }
    }

    func finish(changing: Set<String>) throws {
        var unfinished = changing
        for table in layout.tables where late[table.root] != nil { unfinished.insert(table.name) }
        let omitted = Set(indexes.filter { unfinished.contains($0.table) }.map(\.name))
        indexes.removeAll { omitted.contains($0.name) }
        do {
            try rebuild.finish(omitting: omitted)
        } catch let error as BuildError {
            throw Self.explained(error, path)
        }
        for (root, rows) in late.enumerated() {
            if let rows, let key = try rows.move() { throw duplicate(root, key) }
            late[root] = nil
        }
    }

    private func duplicate(_ slot: Int, _ key: Int64) -> ConversionError {
        ConversionError(.duplicateKey(entity: layout.model.entities[slot].name, key: key), path: path)
    }

    static func explained(_ error: BuildError, _ path: String) -> any Error {
        if case .file(_, let number) = error.kind { return StoreError(FileError(.write, error.path, number: number)) }
        return ConversionError(.notBuilt(error.description), path: path)
    }
}
