public import ManagedObjectModels
import PersistentStores
import SQLiteAccess
public import TestSupport

/// A store of a model in a folder of its own, whose rows are made and read by plain SQL.
public final class TemporaryStore {
    public let directory: TemporaryDirectory
    public let path: String
    public let model: ResolvedModel

    public static let uuid = "0A1B2C3D-0000-4000-8000-00000000ABCD"

    public init(_ model: ManagedObjectModel, rows: String, keepsHistory: Bool = false) throws {
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
        if keepsHistory { try HistoryTables.create(on: connection) }
        try connection.close()
    }

    /// The rows of a query, each as SQL writes its values.
    public func rows(_ sql: String) throws -> [String] {
        let connection = try Connection(path: path, access: .readOnly)
        return try connection.rows(sql).map { $0.map(\.literal).joined(separator: "|") }
    }

    /// Everything that a failure must leave as it was.
    public func content() throws -> StoreDump { try StoreDump(of: path) }

    public func uri(_ entity: String, _ key: Int) -> String { "x-coredata://\(Self.uuid)/\(entity)/p\(key)" }
}
