import CompressedStreams
public import ImportMappings
public import ManagedObjectModels
public import PersistentStores
public import RecordSources
import SQLiteAccess
import StoreAssembly

/// An import as a whole. It opens the store or stages a new one, imports the sources, and commits, or leaves everything
/// as it was.
public struct ImportRun {
    /// The store that is filled.
    public struct Target {
        /// The path of the store.
        public let path: String
        /// The name of the store in messages: its path, unless it stands for another store.
        public let shownPath: String
        /// The model of the store.
        public let model: ResolvedModel
        /// The description of the new store, which is used if there is no store at the path.
        public let newStore: NewStore
        /// The name of the model's version, for readers of spools.
        public let versionName: String

        /// Describes the store that is filled, or created if there is none at the path.
        /// - Parameters:
        ///   - path: the path of the store.
        ///   - model: the model of the store.
        ///   - newStore: the description of a new store.
        ///   - versionName: the name of the model's version, for spools.
        ///   - shownPath: the name of the store in messages; nil for its path.
        public init(
            path: String, model: ResolvedModel, newStore: NewStore, versionName: String = "",
            shownAs shownPath: String? = nil
        ) {
            self.path = path
            self.shownPath = shownPath ?? path
            self.model = model
            self.newStore = newStore
            self.versionName = versionName
        }
    }

    /// The rule by which records become objects.
    public enum Plan {
        /// A mapping of sources.
        case mapping(ImportMapping)
        /// All records become objects of one entity; columns have the names of attributes.
        case entity(EntityRequest)
    }

    let target: Target
    var sources: [String]
    let plan: Plan
    private(set) var options: ImportOptions

    /// The records that a program passes; nil for files.
    let records: ProgramRecords?
    /// Records that other processes have converted before; nil for files.
    let spools: ImportSpools?

    /// Prepares the import of a program's records, which belong to the only source of a mapping.
    ///
    /// The sequence is iterated once, on another thread, and at most a few batches ahead. Values that a record does not
    /// have are missing; a name that is not among the columns is an error. With `ImportOptions.Commit.batch`, such an
    /// import cannot be resumed.
    ///
    /// - Parameters:
    ///   - target: the store that is filled.
    ///   - records: the records, each with its values by name.
    ///   - columns: the names that records may have, in the order in which rejected records are written.
    ///   - plan: the rule by which records become objects.
    ///   - options: the options of the import.
    public init(
        target: Target, records: sending some Sequence<[String: RecordValue]>, columns: [String], plan: Plan,
        options: ImportOptions
    ) {
        self.init(target: target, records: ProgramRecords(records, columns: columns), plan: plan, options: options)
    }

    private init(target: Target, records: ProgramRecords, plan: Plan, options: ImportOptions) {
        self.target = target
        self.plan = plan
        self.options = options
        self.records = records
        spools = nil
        sources = [ProgramRecords.name]
    }

    /// Prepares the import of records from spools.
    init(target: Target, spools: ImportSpools, options: ImportOptions) {
        self.target = target
        self.options = options
        self.spools = spools
        plan = spools.content.plan
        records = nil
        sources = []
    }

    /// Prepares the import of files.
    /// - Parameters:
    ///   - target: the store that is filled.
    ///   - sources: paths, `-` for standard input; a folder stands for all files in it.
    ///   - plan: the rule by which records become objects.
    ///   - options: the options of the import.
    public init(target: Target, sources: [String], plan: Plan, options: ImportOptions) {
        self.target = target
        self.sources = sources
        self.plan = plan
        self.options = options
        records = nil
        spools = nil
    }

    /// Imports the records.
    /// - Throws: `ImportPlanError`, `SourceError`, `StoreError`, `ImportError`. The store is then as it was.
    public func run() throws -> ImportReport {
        var run = self
        if spools == nil { run.sources = try SourcePaths.files(of: sources) }
        let history = ProgressHistory()
        Self.record(&run.options, in: history)
        var report = try run.importFiles()
        history.record(stage: "done", rows: report.sources.reduce(0) { $0 + $1.records })
        report.progress = history.samples
        return report
    }

    /// Records the progress in a history. The progress counts the records of one source, the history those of all
    /// sources.
    private static func record(_ options: inout ImportOptions, in history: ProgressHistory) {
        var (earlier, last): (Int64, Int64) = (0, 0)
        var source: String?
        options.onProgress = { [onProgress = options.onProgress] records, name in
            if name != source || records < last { earlier += last }
            (source, last) = (name, records)
            history.record(stage: ImportStage.importing.rawValue, rows: earlier + records)
            onProgress?(records, name)
        }
        options.onStage = { [onStage = options.onStage] stage in
            history.record(stage: stage.rawValue, rows: earlier + last)
            onStage?(stage)
        }
    }

    private func importFiles() throws -> ImportReport {
        let start = Clock.seconds
        var report: ImportReport
        if options.commit == .batch, !options.isDryRun {
            report = try fillInBatches()
        } else {
            report = FileSystem.exists(target.path) ? try fillExisting() : try fillNew()
        }
        report.seconds = Clock.seconds - start
        report.peakMemory = ProcessMemory.peak
        return report
    }

    /// Checks that there are no rejected records of other imports in the folder.
    func checkRejects() throws {
        guard let directory = options.rejectsDirectory, !options.replacesRejects else { return }
        try RejectWriter.check(directory, for: spools.map { $0.content.files.map(\.path) } ?? sources)
    }

    private func fillExisting() throws -> ImportReport {
        try options.pragmas.checkForChange()
        let store = try SQLiteStore(path: target.path, access: .readWrite, shownAs: target.shownPath)
        let layout = store.layout(for: target.model)
        if let problem = layout.problems.first {
            throw ImportPlanError(.noTable(problem.description))
        }
        // As in the connections of apps, double quotes in the triggers of others contain text.
        store.connection.setLenientSchema(true)
        do {
            try options.pragmas.applyToConnection(store.connection)
            try store.connection.execute("PRAGMA main.cache_size = -\(options.fixedLimits.pages.rows); BEGIN IMMEDIATE")
            do {
                guard try !InterruptedImport.isPresent(in: store.connection) else { throw ImportError.interrupted }
                try checkRejects()
                // Removes what a killed run has left.
                try external.prune(store.connection, layout: layout)
                var report = try fill(store.connection, layout: layout, deferred: [])
                options.onCheckpoint?("all written")
                try store.connection.execute(options.isDryRun ? "ROLLBACK" : "COMMIT")
                try external.prune(store.connection, layout: layout)
                if !options.isDryRun, let finding = options.pragmas.applyJournalMode(store.connection) {
                    report.findings.append(finding)
                }
                return report
            } catch {
                if store.connection.isInTransaction { try? store.connection.execute("ROLLBACK") }
                try? external.prune(store.connection, layout: layout)
                throw error
            }
        } catch let error as SQLiteError {
            throw StoreError(error, path: target.shownPath)
        }
    }

    private func fillNew() throws -> ImportReport {
        let directory = FileSystem.directory(of: target.path)
        guard FileSystem.isDirectory(directory) else { throw StoreError(.folderMissing, path: directory) }
        try target.newStore.layout.checkCreatable(at: target.path)
        try checkRejects()
        let staged = try StagedFile(for: target.path)
        try external.prune(nil, layout: nil)
        do {
            let space = StagingSpace(beside: target.path)
            var report = try measuring(space).fill(staged, space)
            report.peakSpace = space.peak
            report.freeSpace = FileSystem.freeSpace(directory)
            return report
        } catch {
            if !FileSystem.exists(target.path) { try? external.prune(nil, layout: nil) }
            throw error
        }
    }

    /// Returns this import with the space measured while it goes on.
    private func measuring(_ space: StagingSpace) -> Self {
        var run = self
        run.options.onProgress = { [onProgress = options.onProgress] records, name in
            space.measureIfDue()
            onProgress?(records, name)
        }
        run.options.onStage = { [onStage = options.onStage] stage in
            space.measureIfDue()
            onStage?(stage)
        }
        return run
    }

    private func fill(_ staged: StagedFile, _ space: StagingSpace) throws -> ImportReport {
        var report: ImportReport
        do {
            let file = try NewStoreFile(
                at: staged.path, target.newStore, options.pragmas, pages: options.fixedLimits.pages.rows,
                takesBack: true)
            let connection = file.connection
            defer { try? connection.close() }
            try connection.execute("BEGIN")
            let layout = target.newStore.layout
            let working = WorkingFile(beside: staged.path, target.newStore, options)
            report = try fill(connection, layout: layout, deferred: layout.indexes().indexes, working: working)
            try working.build(file) { space.measure() }
            options.onCheckpoint?("all written")
            try connection.execute("COMMIT")
            space.measure()
            if report.writer == .builder {
                if !options.isDryRun { staged.beginSynchronizing() }
                let faults = try file.faults(isCancelled: options.isCancelled)
                if options.isCancelled?() ?? false { throw ImportError.cancelled }
                guard faults.isEmpty else { throw ImportError.notVerified(faults.joined(separator: "; ")) }
            }
            try external.pruneFiles(connection, layout: layout)
            // Core Data's own stores have used a write-ahead log since 2013.
            try file.finish(journalMode: options.pragmas.journalMode(isLogged: true))
        } catch let error as SQLiteError {
            throw StoreError(error, path: target.shownPath)
        }
        guard !options.isDryRun else { return report }
        try staged.synchronize()
        options.onCheckpoint?("store made")
        if let error = try staged.move(to: target.path, replacing: false) {
            report.findings.append(Self.placeFinding(error))
        }
        try external.forget()
        return report
    }

    /// Returns a finding about a new store whose name in the folder may be lost.
    static func placeFinding(_ error: FileError) -> String {
        "the new store is in its place, but if the power fails now it may be gone again: \(error)"
    }

    /// The files of large values next to the store.
    var external: ExternalData { ExternalData(store: target.path, isDryRun: options.isDryRun) }

    /// Imports the sources into the tables of a connection.
    ///
    /// - Parameter working: the file in which objects of a new store can be looked up; nil for an existing store.
    func fill(
        _ connection: Connection, layout: StoreLayout, deferred: [StoreIndex], progress: ImportProgress? = nil,
        working: WorkingFile? = nil
    ) throws -> ImportReport {
        do {
            return try importSources(connection, layout, deferred, progress, working)
        } catch let error as SourceError where error.code == .cancelled {
            // The work may have been cancelled while a source was being read.
            throw ImportError.cancelled
        }
    }

    @_optimize(size)
    private func importSources(
        _ connection: Connection, _ layout: StoreLayout, _ deferred: [StoreIndex], _ progress: ImportProgress?,
        _ working: WorkingFile?
    ) throws -> ImportReport {
        let opening = SourceOpening(limits: RecordLimits(bytes: options.largestRecord))
        if let records { opening.keep(records, for: ProgramRecords.name) }
        var findings: [String] = []
        let inputs = try self.inputs(opening, &findings)
        let (compiled, catalogs) = try prepare(inputs, opening, layout, now: progress?.now ?? options.now)
        func session(_ connection: Connection) throws -> ImportSession {
            try ImportSession(
                connection: connection, layout: layout, compiled: compiled, options: options, store: target.path,
                shownStore: target.shownPath, deferredIndexes: deferred, progress: progress, isNew: working != nil)
        }
        var importer = try session(connection)
        if let working {
            let conditions = AssemblyConditions(importer)
            let reasons = options.writer == .sqlite ? nil : conditions.reasonsToLookUp()
            if let reasons, !reasons.isEmpty { importer = try session(try working.begin()) }
            try importer.begin(reasons == [] ? conditions : nil, spools)
            importer.tally.report.writer = options.writer == .sqlite ? .sqlite : .builder
            importer.tally.report.lookupReasons = reasons
        }
        if progress != nil {
            importer.progress?.sourcePaths = sources
            let places = Dictionary(zip(sources, sources.indices), uniquingKeysWith: { first, _ in first })
            importer.progress?.files = inputs.files.map { places[$0.path] ?? 0 }
            importer.progress?.dataVersion = try connection.value("PRAGMA main.data_version").integer
        }
        // However the import ends, the rejected records are complete on disk, because they may be the reason for it.
        defer {
            try? importer.settlement.writeTakenRecords()
            try? importer.rejects?.finish()
        }
        func open(_ index: Int, from position: RecordPosition? = nil) throws -> any RecordSource {
            let file = inputs.files[index]
            return try opening.source(
                file.path, inputs.mapping(of: file).source.format, fields: catalogs[importer.scope.files[index]],
                from: position)
        }
        func relation(of index: Int) -> String? {
            let format = inputs.mapping(of: inputs.files[index]).source.format
            return format.query ?? format.table
        }
        if let progress, options.rejectsDirectory != nil, progress.source > 0 || progress.position != nil {
            for index in inputs.files.indices where index <= progress.source {
                var source = try open(index)
                var batch = RecordBatch(limits: RecordBatch.Limits(rows: 1))
                // The text around the records of an XML document is only known after its first record.
                if try source.next(into: &batch) {
                    try importer.rejects?.goOn(with: RejectSource(source, relation: relation(of: index)), at: index)
                }
            }
        }
        try importer.commit(file: progress?.source ?? 0, position: progress?.position, progress?.current)
        for (source, size) in sizes(of: inputs, importer.scope.files).enumerated() {
            importer.sources[source].size = size
        }
        let cursor = spools.map { SpoolCursor($0.paths) }
        for (index, file) in inputs.files.enumerated() where index >= progress?.source ?? 0 {
            let isBegun = index == progress?.source
            let compiled = importer.sources[importer.scope.files[index]].compiled
            let records: any ConvertedRecords
            if let cursor, let spools {
                let kind = spools.content.files[index].kind
                records = try SpooledRecords(cursor, file: index, named: file.path, kind, for: compiled)
            } else {
                records = SourceRecords(try open(index, from: isBegun ? progress?.position : nil), for: compiled)
            }
            try importer.importRecords(
                of: records, as: index, goingOnWith: isBegun ? progress?.current : nil,
                part: part(of: file, in: inputs), relation: relation(of: index))
        }
        try cursor?.finish()
        options.onStage?(.linking)
        var report = try importer.finish()
        if importer.connection === connection {
            options.onStage?(.indexing)
            try importer.indexes.finish()
        }
        report.findings =
            findings + missingElements(report, inputs) + missingPaths(importer, inputs) + compiled.findings
            + report.findings
        return report
    }

    /// Returns the size in bytes of all files of each source; 0 if it is not known.
    private func sizes(of inputs: ImportInputs, _ sources: [Int]) -> [Int64] {
        var sizes = [Int64](repeating: 0, count: (sources.max() ?? -1) + 1)
        var unknown = Set<Int>()
        for (file, source) in zip(inputs.files, sources) {
            // It is not known how many bytes a compressed file contains.
            guard !StreamInput.isStream(file.path), let size = FileSystem.size(file.path),
                StreamCompression.uncompressedPath(file.path) == nil
            else {
                unknown.insert(source)
                continue
            }
            sizes[source] += size
        }
        for source in unknown { sizes[source] = 0 }
        return sizes
    }
}
