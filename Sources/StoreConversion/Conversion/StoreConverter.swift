import ManagedObjectModels
public import PersistentStores
import SQLiteAccess
import StoreAssembly

/// Converts stores of any type into a new one of any type: exact values, ordered relationships, metadata.
///
/// Objects pass one by one. What is not an SQLite store becomes one first, on disk, unless that is wanted anyway: there
/// references lead forward, and links of which only one direction is there get the other one.
public struct StoreConverter {
    /// The store that is made.
    public struct Target {
        /// The path of the new store.
        public let path: String
        /// The type of the new store.
        public let type: PersistentStoreType
        /// Its model, with the hashes: that of the sources, or a configuration of it.
        public let newStore: NewStore

        /// Describes the store that is to be made.
        public init(path: String, type: PersistentStoreType, newStore: NewStore) {
            self.path = path
            self.type = type
            self.newStore = newStore
        }
    }

    let sources: [Source]
    let target: Target
    let options: ConversionOptions

    /// Prepares a conversion of one store, or of several of the same version into one.
    public init(sources: [Source], target: Target, options: ConversionOptions = ConversionOptions()) {
        self.sources = sources
        self.target = target
        self.options = options
    }

    /// Converts; whatever happens, the sources are as they were, and the new store is whole or not there.
    /// - Throws: `ConversionError` if the conversion is refused or cancelled; `StoreError` or `DocumentError` if a
    ///   store cannot be read, or the new one not be written; what a custom format throws.
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

    /// What would be done; nothing is written.
    /// - Throws: `ConversionError` or `StoreError` if the conversion is refused, or a store cannot be read.
    public func plan() throws -> ConversionPlan {
        guard let first = sources.first else { throw ConversionError(.noStores, path: target.path) }
        try checkDestination()
        let targetForms = ObjectForms(target.newStore.layout.model)
        if let format = options.registry.format(of: target.type) { try format.check(targetForms) }
        var parts: [ConversionPlan.Part] = []
        for source in sources { parts.append(try part(source)) }
        let metadata = try first.metadata(in: options.registry)
        let pragmas = try pragmas(of: first, isSQLite: parts[0].isSQLite)
        // There the missing directions of links are added.
        let isThroughSQLite =
            try target.type != .sqlite && (sources.count > 1 || !parts[0].isSQLite || hasOneSidedLinks(first))
        let writer = isThroughSQLite || target.type == .sqlite ? try writer(pragmas) : nil
        let isKeepingUUID = sources.count == 1 && !options.givesNewUUID
        return ConversionPlan(
            parts: parts, target: target.path, targetType: target.type,
            metadata: metadata.converted(to: target.type, of: target.newStore, keepsUUID: isKeepingUUID, pragmas),
            pragmas: pragmas,
            // Only SQLite stores number the objects of each table by themselves.
            keepsKeys: sources.count == 1
                && (options.keepsIDs || parts[0].isSQLite == (target.type == .sqlite)),
            isThroughSQLite: isThroughSQLite, writer: writer?.chosen, writerReasons: writer?.reasons ?? [])
    }

    /// The settings of a new SQLite store: one that is made of another has its kind of vacuum.
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

    /// Whether an object of a SQLite store is the destination of a one-to-one relationship and has not its inverse.
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

    /// What writes the rows of the SQLite store, and why the builder does not.
    private func writer(_ pragmas: StorePragmas) throws -> (chosen: NewStoreWriter, reasons: [String]) {
        if options.writer == .sqlite { return (.sqlite, []) }
        let reasons: [String]
        do throws(SQLiteError) {
            reasons = try NewStoreFile.reasonsNotToBuild(target.newStore, pragmas)
        } catch {
            throw StoreError(error, path: target.path)
        }
        if reasons.isEmpty { return (.builder, []) }
        guard options.writer == .auto else { throw ConversionError(.cannotBuild(reasons), path: target.path) }
        return (.sqlite, reasons)
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
            // What the import has still to bring would be missing from the new store for ever.
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
            // A run that died may have left its staging name as a second one of the new store.
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
