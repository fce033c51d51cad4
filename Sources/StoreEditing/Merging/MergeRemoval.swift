import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Deletes copied objects from their store, by the delete rules: in a transaction that is committed after the other
/// store has its copies on disk.
final class MergeRemoval {
    private let store: SQLiteStore
    private let layout: StoreLayout
    private let external: ExternalData
    private let options: StoreEditor.Options

    init(_ path: String, _ model: ResolvedModel, _ options: StoreEditor.Options) throws {
        self.options = options
        store = try SQLiteStore(path: path, access: .readWrite, timeout: options.timeout)
        guard !store.connection.isReadOnly else { throw StoreError(.readOnly, path: path) }
        layout = store.layout(for: model)
        external = ExternalData(store: path, isDryRun: options.isDryRun)
        store.connection.setLenientSchema(true)
        store.connection.onProgress(everyInstructions: 100_000, options.isCancelled)
        try store.connection.registerExpressionFunctions()
        try store.connection.execute("PRAGMA temp_store = FILE")
    }

    /// - Parameters:
    ///   - merge: the connection with the list of copied objects.
    ///   - fingerprint: the fingerprint of the store when it was copied: changes that others have made since would be
    ///     lost.
    /// - Returns: the numbers of objects to delete, by entity, and the faults that prevent it.
    func run(
        _ merge: Connection, unchangedSince fingerprint: StoreFingerprint
    ) throws -> (moved: [String: Int64], faults: [EditFault]) {
        let connection = store.connection
        try connection.execute("BEGIN IMMEDIATE")
        guard StoreFingerprint(of: store.files) == fingerprint else {
            throw StoreError(.changed, path: store.files.path)
        }
        let transaction = try EditTransaction(store, layout, external, options)
        let copied = try merge.prepare(
            "SELECT root, s FROM \(MergeSelection.table) WHERE state <= \(MergeSelection.State.updated.rawValue)")
        try connection.execute(
            "CREATE TEMP TABLE ferry_copied (root INTEGER, k INTEGER, PRIMARY KEY (root, k)) "
                + "WITHOUT ROWID")
        let insert = try connection.prepare("INSERT INTO temp.ferry_copied VALUES (?1, ?2)", persistent: true)
        while try copied.step() {
            try insert.bindInteger(copied.integer(0), at: 1)
            try insert.bindInteger(copied.integer(1), at: 2)
            try insert.run()
        }
        try transaction.delete { deletion in
            for table in layout.tables {
                try deletion.add(
                    table.root,
                    where: "s.Z_PK IN (SELECT k FROM temp.ferry_copied WHERE root = \(table.root))")
            }
        }
        let report = try transaction.finish(EditReport(store: store.files.path, isDryRun: options.isDryRun))
        var faults = report.faults
        if faults.isEmpty { faults = try lost(report) }
        return (report.deleted.mapValues(\.count), faults)
    }

    /// Returns faults for objects that a cascade would delete although they were not copied.
    private func lost(_ report: EditReport) throws -> [EditFault] {
        let deleted = report.deleted.values.reduce(0) { $0 + $1.count }
        let copied = try store.connection.value("SELECT count(*) FROM temp.ferry_copied").integer ?? 0
        guard deleted > copied else { return [] }
        let entities = report.deleted.keys.sorted()
        return [
            EditFault(
                code: 1600, entity: entities.joined(separator: ","), property: "",
                message: "delete rules of moved objects delete others that were not copied; copy them too, with "
                    + "--cascade or --follow", count: deleted - copied, objects: [])
        ]
    }

    func end(isKept: Bool) throws {
        options.onCheckpoint?("copied")
        guard store.connection.isInTransaction else { return }
        try store.connection.execute(isKept ? "COMMIT" : "ROLLBACK")
        try external.prune(store.connection, layout: layout)
    }
}
