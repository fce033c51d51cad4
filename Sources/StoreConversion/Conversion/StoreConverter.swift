import ManagedObjectModels
public import PersistentStores
import SQLiteAccess
import StoreAssembly

/// Converts stores of any type to a new store of any type. It preserves values exactly, the order of relationships, and
/// metadata.
///
/// Objects are copied one by one. Unless the source is an SQLite store, an intermediate SQLite store is written first,
/// because references may lead to later objects, and links with only one direction must be completed.
public struct StoreConverter {
    /// The store to create.
    public struct Target {
        /// The path of the new store.
        public let path: String
        /// The type of the new store.
        public let type: PersistentStoreType
        /// The model of the new store with its hashes: the model of the sources, or a configuration of it.
        public let newStore: NewStore

        /// Describes the store to create.
        public init(path: String, type: PersistentStoreType, newStore: NewStore) {
            self.path = path
            self.type = type
            self.newStore = newStore
        }
    }

    let sources: [Source]
    let target: Target
    let options: ConversionOptions

    /// Prepares the conversion of a store, or of several stores of the same version into one.
    public init(sources: [Source], target: Target, options: ConversionOptions = ConversionOptions()) {
        self.sources = sources
        self.target = target
        self.options = options
    }

    /// Converts the stores. Whatever happens, the sources are not changed, and the new store is either complete or
    /// absent.
    /// - Throws: `ConversionError` if the conversion is refused or cancelled; `StoreError` or `DocumentError` if a
    ///   store cannot be read, or if the new store cannot be written; the errors of a custom format.
    public func convert() throws -> ConversionReport {
        let start = Clock.seconds
        do {
            let plan = try plan()
            let run = try ConversionRun(self, plan)
            try run.execute()
            return run.report(seconds: Clock.seconds - start)
        } catch let error as StoreError where error.isCancelled {
            throw ConversionError(.cancelled, path: target.path)
        }
    }

    /// Returns what a conversion would do, without writing anything.
    /// - Throws: `ConversionError` or `StoreError` if the conversion is refused, or if a store cannot be read.
    public func plan() throws -> ConversionPlan {
        guard let first = sources.first else { throw ConversionError(.noStores, path: target.path) }
        try checkDestination()
        let targetForms = ObjectForms(target.newStore.layout.model)
        if let format = options.registry.format(of: target.type) { try format.check(targetForms) }
        var parts: [ConversionPlan.Part] = []
        for source in sources { parts.append(try part(source)) }
        let metadata = try first.metadata(in: options.registry)
        let pragmas = try pragmas(of: first, isSQLite: parts[0].isSQLite)
        // In the SQLite store, the missing directions of links are added.
        let isThroughSQLite =
            try target.type != .sqlite && (sources.count > 1 || !parts[0].isSQLite || hasOneSidedLinks(first))
        let writer: NewStoreWriter? =
            isThroughSQLite || target.type == .sqlite ? (options.writer == .sqlite ? .sqlite : .builder) : nil
        let isKeepingUUID = sources.count == 1 && !options.givesNewUUID
        return ConversionPlan(
            parts: parts, target: target.path, targetType: target.type,
            metadata: metadata.converted(to: target.type, of: target.newStore, keepsUUID: isKeepingUUID, pragmas),
            pragmas: pragmas,
            // Only SQLite stores number the objects of each table separately.
            keepsKeys: sources.count == 1
                && (options.keepsIDs || parts[0].isSQLite == (target.type == .sqlite)),
            isThroughSQLite: isThroughSQLite, writer: writer)
    }

    /// Returns the settings of a new SQLite store; by default, it has the auto-vacuum mode of the old SQLite store.
    private func pragmas(of source: Source, isSQLite: Bool) throws -> StorePragmas {
        guard isSQLite, target.type == .sqlite else { return options.pragmas }
        do {
            let level =
                try SQLiteStore(path: source.path, shownAs: source.shownPath).connection.value(
                    "PRAGMA main.auto_vacuum"
                ).integer ?? 0
            return options.pragmas.with(.autoVacuum, ifAbsent: "\(level)")
        } catch let error as SQLiteError {
            throw StoreError(error, path: source.shownPath)
        }
    }

    /// Returns whether an object of an SQLite store is the destination of a one-to-one relationship but lacks the
    /// inverse.
    private func hasOneSidedLinks(_ source: Source) throws -> Bool {
        let store = try SQLiteStore(path: source.path, shownAs: source.shownPath)
        let layout = store.layout(for: source.model)
        do throws(SQLiteError) {
            for relationship in layout.model.entities.flatMap(\.declaredRelationships) {
                guard relationship.isStored, relationship.storage == .toOne, let inverse = relationship.inverse,
                    !inverse.isToMany, let column = layout.column(.toOne(relationship.key)),
                    let back = layout.column(.toOne(inverse.key)),
                    let table = layout.table(ofEntity: relationship.owner),
                    let other = layout.table(ofEntity: relationship.destination)
                else { continue }
                let found = try store.connection.value(
                    "SELECT 1 FROM \(SQLiteIdentifier.quoted(table.name)) t "
                        + "JOIN \(SQLiteIdentifier.quoted(other.name)) d ON d.Z_PK = t.\(SQLiteIdentifier.quoted(column.name)) "
                        + "WHERE d.\(SQLiteIdentifier.quoted(back.name)) IS NULL LIMIT 1")
                if !found.isNull { return true }
            }
        } catch {
            throw StoreError(error, path: source.shownPath)
        }
        return false
    }

    private func part(_ source: Source) throws -> ConversionPlan.Part {
        let type = try source.type(in: options.registry)
        let outside = Set(source.model.entities.map(\.name))
            .subtracting(target.newStore.layout.model.entities.map(\.name).filter(target.newStore.holdsObjects))
            .sorted()
        guard type == .sqlite else {
            return ConversionPlan.Part(
                path: source.path, type: type, entities: source.model.entities.map(\.name).sorted(), rows: nil,
                outside: outside, hasHistory: false, otherTables: [])
        }
        let store = try SQLiteStore(path: source.path, shownAs: source.shownPath)
        let layout = store.layout(for: source.model)
        let known = Set(
            (layout.tables.map(\.name) + layout.joinTables.map(\.name)
                + ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]).map { $0.uppercased() })
        let history: Set<String> = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
        let others = store.schema.tables.map { $0.name.uppercased() }.filter {
            !known.contains($0) && !history.contains($0) && !$0.hasPrefix("SQLITE_")
        }
        do {
            // The records that an interrupted import has still to add would never reach the new store.
            guard try !InterruptedImport.isPresent(in: store.connection) else {
                throw StoreError(.importInterrupted, path: source.shownPath)
            }
            var rows: [String: Int64] = [:]
            for table in layout.tables {
                for row in try store.connection.rows(
                    "SELECT Z_ENT, count(*) FROM \(SQLiteIdentifier.quoted(table.name)) GROUP BY Z_ENT LIMIT 100000")
                {
                    guard let number = row[0].integer, let slot = layout.slot(ofEntityNumber: Int(clamping: number))
                    else { continue }
                    rows[layout.model.entities[slot].name] = row[1].integer
                }
            }
            let hasHistory =
                try store.schema.table(named: "ACHANGE") != nil
                && !store.connection.value("SELECT 1 FROM ACHANGE LIMIT 1").isNull
            return ConversionPlan.Part(
                path: source.path, type: type, entities: source.model.entities.map(\.name).sorted(), rows: rows,
                outside: outside, hasHistory: hasHistory, otherTables: others.sorted())
        } catch let error as SQLiteError {
            throw StoreError(error, path: source.shownPath)
        }
    }

    private func checkDestination() throws(StoreError) {
        let directory = FileSystem.directory(of: target.path)
        guard FileSystem.isDirectory(directory) else { throw StoreError(.folderMissing, path: directory) }
        guard !options.replaces else { return }
        let files = StoreFiles(target.path)
        for path in [files.path, files.writeAheadLog, files.journal] where FileSystem.isThere(path) {
            // A run that was killed may have left its staging name as a second link to the new store.
            StagedFile.removeStale(for: files.path)
            throw StoreError.taken(path, by: sources.filter { $0.memory == nil }.map(\.path))
        }
        guard target.type == .sqlite else { return }
        for source in sources
        where source.memory == nil
            && FileSystem.isSameFile(files.supportDirectory, StoreFiles(source.path).supportDirectory)
        {
            throw StoreError(.sharedExternalData(files.supportDirectory), path: target.path)
        }
    }
}
