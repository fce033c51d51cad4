import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreEditing
import TestSupport
import Testing

/// A store of a model in a folder of its own, whose rows are made and read by plain SQL.
final class EditedStore {
    let directory: TemporaryDirectory
    let path: String
    let model: ResolvedModel

    static let uuid = "0A1B2C3D-0000-4000-8000-00000000ABCD"

    init(_ model: ManagedObjectModel, rows: String, keepsHistory: Bool = false) throws {
        directory = try TemporaryDirectory()
        path = directory.file("store.sqlite")
        self.model = try ResolvedModel(model)
        let hashes = ModelHashes.hashes(of: self.model)
        let new = NewStore(
            model: self.model, hashes: hashes.mapValues(\.bytes), digest: ModelHashes.digest(of: hashes),
            checksum: ModelHashes.checksum(of: hashes), uuid: Self.uuid)
        let connection = try Connection(path: path, access: .create)
        try registerCoreDataFunctions(connection)
        try new.createTables(connection)
        for index in new.layout.indexes().indexes { try connection.execute(index.createStatement) }
        try connection.execute(rows)
        for table in new.layout.tables {
            let name = SQLiteIdentifier.quoted(table.name)
            try connection.execute(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT ifnull(max(Z_PK), 0) FROM \(name)) "
                    + "WHERE Z_ENT = \(new.layout.entityNumbers[table.root])")
        }
        try new.createTriggers(connection)
        if keepsHistory { try connection.execute(Self.history) }
        try connection.close()
    }

    /// Persistent history as Core Data keeps it, without a row (docs/format/sqlite-store.md#persistent-history).
    private static let history = """
        CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
        ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );
        CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, \
        ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, \
        ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
        CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
        INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0), \
        (16003, 'TRANSACTIONSTRING', 0, 0);
        """

    @discardableResult
    func edit(
        _ steps: EditStep..., change: (inout StoreEditor.Options) -> Void = { _ in }
    ) throws -> EditReport {
        var options = StoreEditor.Options()
        change(&options)
        return try StoreEditor(path: path, model: model, options: options).run(steps)
    }

    /// The rows of a query, each as SQL writes its values.
    func rows(_ sql: String) throws -> [String] {
        let connection = try Connection(path: path, access: .readOnly)
        return try connection.rows(sql).map { $0.map(\.literal).joined(separator: "|") }
    }

    /// Everything that a failure must leave as it was.
    func content() throws -> StoreDump { try StoreDump(of: path) }

    func uri(_ entity: String, _ key: Int) -> String { "x-coredata://\(Self.uuid)/\(entity)/p\(key)" }
}
