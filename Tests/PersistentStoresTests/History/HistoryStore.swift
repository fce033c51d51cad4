import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// A store with persistent history, whose transactions and changes are made by plain SQL.
struct HistoryStore {
    let store: TemporaryStore

    var path: String { store.path }

    /// Entity numbers as Core Data gives them.
    static let (manager, note, person) = (3, 1, 2)

    /// Three transactions: the app inserts a person and a manager, then updates both, then a server deletes a note.
    static let rows = """
        INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'app'), (2, 16003, NULL, 'server'), \
        (3, 16003, NULL, 'org.example.app'), (4, 16003, NULL, 'main');
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZTIMESTAMP) VALUES \
        (1, 16002, 1, 3, 4, 1000.5), (2, 16002, 1, 3, NULL, 2000), (3, 16002, 2, NULL, NULL, 3000);
        INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) VALUES \
        (1, 16001, 0, 2, 1, 1, NULL), (2, 16001, 0, 3, 2, 1, NULL), (3, 16001, 1, 2, 1, 2, x'02'), \
        (4, 16001, 1, 3, 2, 2, NULL), (5, 16001, 2, 1, 7, 3, NULL);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_ENT = 16001;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_ENT = 16002;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_ENT = 16003;
        """

    init(_ sql: String = rows, keepsHistory: Bool = true) throws {
        let model = ManagedObjectModel(entities: [
            entity("Note", [attribute("text")]), entity("Person", [attribute("name")]),
            entity("Manager", parent: "Person"),
        ])
        store = try TemporaryStore(model, rows: "", keepsHistory: keepsHistory)
        try change(sql)
    }

    func change(_ sql: String) throws {
        let connection = try Connection(path: path, access: .readWrite)
        try connection.execute(sql)
        try connection.close()
    }

    func token(_ transaction: Int64) -> HistoryToken {
        HistoryToken(storeUUID: TemporaryStore.uuid, transaction: transaction)
    }

    /// What a filter lets through: each transaction with its changes as text, and the token.
    func list(_ filter: HistoryFilter = HistoryFilter()) throws -> (lines: [String], token: HistoryToken) {
        var lines: [String] = []
        let token = try PersistentHistory(SQLiteStore(path: path)).forEach(filter) { transaction, changes in
            var names: [String] = []
            try changes { change in
                names.append(
                    "\(change.kind?.rawValue ?? "?") \(change.objectID?.entityName ?? "?")/\(change.primaryKey)")
            }
            let counts = "\(transaction.inserted) \(transaction.updated) \(transaction.deleted)"
            lines.append("\(transaction.number): \(counts): " + names.joined(separator: ", "))
        }
        return (lines, token)
    }

    func prune(
        _ extent: HistoryPruning.Extent, _ change: (inout HistoryPruning.Options) -> Void = { _ in }
    ) throws -> HistoryPruning.Report {
        var options = HistoryPruning.Options()
        change(&options)
        return try HistoryPruning(path: path, options: options).run(extent)
    }
}
