import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreConversion
import StoreFetching

/// Copies the objects of one SQLite store into another, within the transaction of an edit.
final class MergeWork: EditWork {
    private let source: String
    private let destination: String
    private let model: ResolvedModel
    private let options: MergeOptions
    private let editing: StoreEditor.Options
    private let fingerprint: StoreFingerprint
    private let idMap: IDMap?
    private var removal: MergeRemoval?
    private var layout: StoreLayout?
    private(set) var skipped: [String: Int64] = [:]
    private(set) var moved: [String: Int64] = [:]
    private(set) var linksLeftOut: [String: Int64] = [:]

    /// - Parameter idMap: receives the old and the new keys.
    init(
        from source: String, into destination: String, _ model: ResolvedModel, _ options: MergeOptions,
        _ editing: StoreEditor.Options, idMap: IDMap?
    ) {
        self.source = source
        self.destination = destination
        self.model = model
        self.options = options
        self.editing = editing
        self.idMap = idMap
        fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: source), isSettled: true)
    }

    /// Moved objects are deleted while the copy is still being read: both connections must use the same log.
    private var access: Connection.Access { options.moves ? .readWrite : .readOnly }

    /// `BEGIN IMMEDIATE` would also lock the source, which another connection has to change.
    var beginning: String { "BEGIN; DELETE FROM main.Z_PRIMARYKEY WHERE 0" }

    func opened(_ connection: Connection) throws {
        try connection.attach(
            path: StoreFiles(followingLinks: source).path, as: MergeSelection.database, access: access)
    }

    func run(_ transaction: EditTransaction) throws {
        let connection = transaction.connection
        let store = try SQLiteStore(path: source, access: access, timeout: editing.timeout)
        defer { try? store.connection.close() }
        guard try !InterruptedImport.isPresent(in: store.connection) else {
            throw StoreError(.importInterrupted, path: source)
        }
        store.connection.onProgress(everyInstructions: 100_000, editing.isCancelled)
        let layout = store.layout(for: model)
        self.layout = layout
        let selection = try MergeSelection(connection, source: layout)
        guard let entity = model.entity(named: options.entity) else { throw MergeError.unknownEntity(options.entity) }
        try selection.add(entity, cursor(entity, store, layout))
        for path in options.followedPaths { try selection.follow(path, from: entity) }
        if options.cascades { try selection.cascade() }
        let keys = try MergeKeys(
            selection, into: transaction.layout, options, limit: editing.exampleLimit,
            storeUUID: store.metadata.uuid)
        try selection.addReferences(to: keys.hasKey)
        let faults = try keys.match()
        transaction.faults += faults
        guard faults.isEmpty else { return }
        let rows = MergeRows(
            selection: selection, destination: transaction.layout, keys: transaction.keys, limits: editing.fixedLimits)
        try rows.write()
        let links = MergeLinks(selection, into: transaction.layout)
        try links.write()
        linksLeftOut = links.leftOut
        try transaction.copyFiles { try rows.copyFiles($0, ExternalDataReader(of: store.files), $1) }
        try rows.resetVersions()
        skipped = try counts(connection, layout, .skipped)
    }

    private func cursor(_ entity: ResolvedEntity, _ store: SQLiteStore, _ layout: StoreLayout) throws -> FetchCursor {
        do {
            let step = EditStep.delete(entity.name, where: options.predicate)
            let plan = try FetchCompiler.plan(
                step.objects(of: entity, options.predicate), layout: layout, storeUUID: store.metadata.uuid,
                now: editing.now)
            return try FetchCursor(plan, store: store, layout: layout)
        } catch let error as SQLiteError {
            throw error
        } catch {
            throw MergeError.predicate("\(error)")
        }
    }

    private func counts(
        _ connection: Connection, _ layout: StoreLayout, _ state: MergeSelection.State
    ) throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for row in try connection.rows(
            "SELECT number, count(*) FROM \(MergeSelection.table) WHERE state = \(state.rawValue) GROUP BY root, number"
        ) {
            guard let slot = layout.slot(ofEntityNumber: Int(row[0].integer ?? 0)) else { continue }
            counts[model.entities[slot].name] = row[1].integer
        }
        return counts
    }

    func check(_ report: inout EditReport, _ connection: Connection) throws {
        guard report.isValid else { return }
        if options.moves {
            let removal = try MergeRemoval(source, model, editing)
            self.removal = removal
            (moved, report.faults) = try removal.run(connection, unchangedSince: fingerprint)
        } else {
            guard StoreFingerprint(of: StoreFiles(followingLinks: source)) == fingerprint else {
                throw StoreError(.changed, path: source)
            }
        }
        guard report.isValid else { return }
        try writeMap(connection)
    }

    private func writeMap(_ connection: Connection) throws {
        guard let idMap, let layout else { return }
        let statement = try connection.prepare(
            "SELECT number, s, d FROM \(MergeSelection.table) WHERE state < \(MergeSelection.State.referenced.rawValue) "
                + "ORDER BY root, s")
        while try statement.step() {
            guard let slot = layout.slot(ofEntityNumber: Int(statement.integer(0))) else { continue }
            try idMap.add(source, model.entities[slot].name, statement.integer(1), statement.integer(2))
        }
        if !editing.isDryRun { try idMap.prepare() }
    }

    func ended(isKept: Bool) throws {
        try removal?.end(isKept: isKept)
        // A store that is written as a whole contains the objects only later.
        if isKept, !editing.hasOneNumbering { try idMap?.finish() }
    }
}
