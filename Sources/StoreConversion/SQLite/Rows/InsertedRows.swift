import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreAssembly

/// Rows of a new store that SQLite inserts.
final class InsertedRows: NewStoreRows {
    private var inserters: [EntityInserter?]
    private var joinStatements: [Statement]
    private let joinHasOrder: [Bool]
    private let lists: WaitingLists
    private let names: [String]
    private let path: String

    /// - Parameters:
    ///   - values: the values by slot; nil for entities without a table.
    ///   - path: the store's path, for messages.
    init(_ values: [EntityValues?], layout: StoreLayout, connection: Connection, path: String) throws(SQLiteError) {
        self.path = path
        names = layout.model.entities.map(\.name)
        var inserters: [EntityInserter?] = []
        for values in values {
            guard let values, let table = layout.table(ofEntity: values.form.slot) else {
                inserters.append(nil)
                continue
            }
            inserters.append(try EntityInserter(values, layout: layout, connection: connection, into: table))
        }
        self.inserters = inserters
        joinHasOrder = layout.joinTables.map { $0.orderColumn != nil }
        var statements: [Statement] = []
        for join in layout.joinTables {
            let columns = [join.ownerColumn, join.destinationColumn] + [join.orderColumn].compactMap { $0 }
            let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            statements.append(
                try connection.prepare(
                    "INSERT OR IGNORE INTO \(SQLiteIdentifier.quoted(join.name)) "
                        + "(\(columns.map { SQLiteIdentifier.quoted($0) }.joined(separator: ", "))) VALUES (\(marks))",
                    persistent: true))
        }
        joinStatements = statements
        lists = try WaitingLists(connection)
    }

    /// Inserted rows have their final keys already.
    var renumbering: FinalKeys? { nil }

    func append(_ object: borrowing StoredObject) throws {
        do {
            try inserters[object.slot]?.insert(object)
        } catch let error as SQLiteError where error.isDuplicateKey {
            throw ConversionError(.duplicateKey(entity: names[object.slot], key: object.key), path: path)
        }
    }

    func append(_ links: ArraySlice<Int64>, of owner: Int64, toJoinTable index: Int) throws {
        let statement = joinStatements[index]
        try statement.bindInteger(owner, at: 1)
        for (position, link) in links.enumerated() {
            try statement.bindInteger(link, at: 2)
            if joinHasOrder[index] { try statement.bindInteger(OrderKeys.key(at: Int64(position)), at: 3) }
            try statement.run()
        }
    }

    func append(_ links: ArraySlice<Int64>, of owner: Int64, toListOf key: PropertyKey) throws {
        try lists.append(links, of: owner, toListOf: key)
    }

    func list(of key: PropertyKey) -> EnteredList? { lists.number(of: key).map { .waiting($0) } }

    func finish() {
        // A connection with open statements cannot be closed.
        lists.finish()
        (inserters, joinStatements) = ([], [])
    }
}

extension SQLiteError {
    /// Whether a row has the key of another row: SQLITE_CONSTRAINT_PRIMARYKEY or SQLITE_CONSTRAINT_ROWID.
    var isDuplicateKey: Bool { code == 1555 || code == 2579 }
}
