import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess

/// Imports the records of sources into a store, batch by batch: convert, find or create, write, forget
/// (docs/format/importing.md#batches).
///
/// Objects come first, links second: what a record names and is not there yet waits on disk until all records are read.
public final class ImportSession {
    let connection: Connection
    /// Where notes are kept, `temp` or `main`.
    let schema: String
    /// How far the import has come, where its batches are durable one by one.
    var progress: ImportProgress?
    let layout: StoreLayout
    let options: ImportOptions
    let indexes: IndexKeeper
    /// The mappings of the sources.
    private(set) var sources: [SourceImport] = []
    let scope: ImportScope
    private(set) var reading = FileReading()
    var keys: PrimaryKeyAllocator
    var resolvers: [ReferenceResolver]
    var cache: StorePages
    let places: OrderedPlaces
    /// The relationships are numbered through all mappings.
    var links = MappedLinks()
    let history: HistoryWriter?
    let external: ExternalData
    let linkStage: LinkStage
    /// By the number of their parts, the keys that only the sources have.
    var sourceKeys: [Int: SourceKeys] = [:]
    let batchState = BatchState()
    let rejects: RejectWriter?
    let obligations: PendingChecks
    /// nil if every record is proven when its batch is written.
    let unproven: UnprovenRecords?
    /// While a new store is assembled.
    var assembler: RecordAssembler?
    /// By the root of a table of a new store, the uniqueness constraints that do not tell its objects apart by themselves:
    /// they are not the key of the objects, or these are of several entities, each told apart from those of its own.
    private(set) lazy var otherConstraints = AssemblyConditions.otherConstraints(self)
    private(set) lazy var linkCounts = LinkCounts(self)
    private(set) lazy var log = ChangeLog(self)
    private(set) lazy var batchWriter = BatchWriter(self)
    private(set) lazy var settlement = Settlement(self)
    /// nil if every record is proven when its batch is written.
    private(set) var taken: RevokedRecords?
    /// nil if no record could end links that others have named, or if no files of rejected records are written.
    var refusedObjects: RefusedObjects?
    /// nil if no source is mirrored, or the store is new.
    let mirror: MirroredObjects?
    /// nil if no record is skipped where its object is missing, or if no files of rejected records are written.
    var rejectedKeys: RejectedKeys?
    let tally: ImportTally

    /// - Parameters:
    ///   - connection: open for writing, with a transaction open where the import is to be whole.
    ///   - shownStore: what messages call the store; nil for its path.
    ///   - deferredIndexes: indexes that a new store does not have yet.
    ///   - isNew: whether `beginAssembly` follows.
    @_optimize(size)
    init(
        connection: Connection, layout: StoreLayout, compiled: CompiledImport, options: ImportOptions, store: String,
        shownStore: String? = nil, deferredIndexes: [StoreIndex], progress: ImportProgress? = nil, isNew: Bool = false
    ) throws {
        self.progress = progress
        // What waits for later batches must outlive a crash where batches are durable.
        schema = progress == nil ? "temp" : "main"
        self.connection = connection
        self.layout = layout
        self.options = options
        cache = StorePages(options.fixedLimits.pages)
        scope = ImportScope(compiled, layout.model)
        indexes = IndexKeeper(connection, deferred: deferredIndexes)
        keys = try PrimaryKeyAllocator(connection, layout: layout)
        // An import that goes on takes what its first part made for new.
        if let first = progress?.firstKeys { keys.firstNew = first }
        self.progress?.firstKeys = keys.firstNew
        linkStage = try LinkStage(connection, schema: schema)
        places = OrderedPlaces(
            connection, indexes: indexes, schema: schema, limit: options.fixedLimits.orderedOwners)
        history = try HistoryWriter(connection, layout: layout)
        rejects = options.rejectsDirectory.map {
            RejectWriter(
                directory: $0, goingOnFrom: progress?.rejects ?? RejectCheckpoint(),
                isReplacing: options.replacesRejects, mostOpen: options.fixedLimits.openRejectFiles)
        }
        tally = ImportTally(ImportReport(store: shownStore ?? store, isDryRun: options.isDryRun))
        let obligations = try PendingChecks(
            compiled, lastFiles: scope.lastFiles, connection: connection, layout: layout, indexes: indexes)
        self.obligations = obligations
        let isUnproven = obligations.mayOpen.contains(true)
        unproven =
            isUnproven
            ? try UnprovenRecords(
                connection, schema: schema, layout: layout, indexes: indexes,
                namedLinks: options.fixedLimits.namedLinks) : nil
        taken = isUnproven ? try RevokedRecords(connection, schema: schema) : nil
        // A new store has nothing that its sources could lack.
        mirror =
            isNew ? nil : try MirroredObjects(compiled.sources, connection: connection, layout: layout, schema: schema)
        external = ExternalData(
            store: store, isDryRun: options.isDryRun, largestInline: options.fixedLimits.largestInline)
        resolvers = []
        for resolver in compiled.resolvers {
            let table = resolver.key.isSourceKey ? try sourceKeys(ofParts: resolver.key.parts.count).table : nil
            resolvers.append(
                try ReferenceResolver(
                    connection: connection, layout: layout, resolver, table: table, limits: options.fixedLimits))
        }
        for (index, source) in compiled.sources.enumerated() {
            let writers = try source.objects.map {
                try MappedObjectWriter($0, connection: connection, layout: layout, limits: options.fixedLimits)
            }
            for writer in writers where !writer.externals.isEmpty { writer.compare(with: external) }
            sources.append(try SourceImport(source, index: index, writers: writers, obligations, indexes, layout))
        }
        // A new store that is assembled may reject records late for what SQLite would know at once.
        if taken == nil, isNew {
            let conditions = AssemblyConditions(self)
            let mayRejectLate = sources.contains { conditions.mayRejectLate($0.compiled) }
            if mayRejectLate { taken = try RevokedRecords(connection, schema: schema) }
        }
        try prepareLinks()
        if rejects != nil, Self.hasReplacedSymmetricLists(entities) {
            refusedObjects = try RefusedObjects(connection, schema: schema)
        }
        if rejects != nil, entities.contains(where: Self.skipsMissing) {
            rejectedKeys = try RejectedKeys(connection, schema: schema)
        }
        // Of a store that is committed batch by batch the pages change. It is asked before anything is written.
        if !isNew, progress == nil { try prepareEarlierRows() }
        // A new store that is assembled needs no look-ups, and nothing that keeps other sides right.
        if !isNew { try prepareKeys() }
        try batchWriter.prepareOwners()
        if !isNew { try prepareInverses() }
        try prepareLargeLoads()
        if let progress, progress.source > 0 || progress.position != nil { takeUp(progress) }
    }

    /// Imports all records of one file, which are read or made on another thread meanwhile.
    ///
    /// - Parameters:
    ///   - file: its index.
    ///   - part: what tells its records from others of the same file.
    ///   - relation: the table or the query of a database that it is.
    func importRecords(
        of records: any ConvertedRecords, as file: Int, goingOnWith earlier: ImportReport.SourceReport? = nil,
        part: String? = nil, relation: String? = nil
    ) throws {
        reading = FileReading(file: file, isOfUnlinkedRecords: RejectFileName.isUnlinked(records.name))
        let mapped = sources[scope.files[file]]
        let (name, guessedEncoding) = (records.name, records.guessedEncoding)
        // An assembled store has keys, links, source keys and unique values in the order of the records, whichever batches
        // these come in.
        let isSequential =
            mapped.compiled.isSequential
            || assembler == nil
                && (mapped.compiled.hasLinksInTurn(layout) || mapped.compiled.hasSourceKeysOfOneTable
                    || mapped.compiled.createsUniqueObjects || mapped.compiled.hasKeysInTurn(layout))
        var limits = options.limits
        if isSequential { limits.rows = 1 }
        /// Records behind the last commit.
        var uncommitted = 0
        let preparation = assembler?.assembled.preparation(
            of: mapped.compiled, at: scope.files[file], areStored: records.areStored, options.fixedLimits)
        let pipeline = try RecordPipeline(
            records, for: mapped.compiled, limits: limits,
            batchCount: options.fixedLimits.circulatingBatches,
            watch: PathWatch(mapped.compiled, among: earlier?.missingPaths ?? mapped.missingPaths?.paths),
            preparation: preparation, matcher: RowMatcher(mapped))
        defer { pipeline.stop() }
        var sourceReport = earlier ?? ImportReport.SourceReport(name: name, part: part)
        sourceReport.guessedEncoding = guessedEncoding
        while var work = try pipeline.next(isCancelled: options.isCancelled) {
            if var found = work.rejectSource {
                found.relation = relation
                reading.rejectSource = found
                rejects?.keep(found, at: file)
            }
            if options.isCancelled?() ?? false { throw ImportError.cancelled }
            try importBatch(&work, of: mapped, name: name, report: &sourceReport)
            guard !work.batch.hasWrongFields else {
                throw SpoolError.damaged(name, byteOffset: work.batch.start.byteOffset)
            }
            if let missing = work.missingPaths { sourceReport.missingPaths = missing }
            sourceReport.bytes = Int64(work.batch.end.byteOffset)
            try considerLargeLoads(of: mapped, sourceReport)
            options.onCheckpoint?("batch imported")
            uncommitted += work.batch.count
            if !isSequential || uncommitted >= options.limits.rows {
                try commit(file: file, position: work.batch.end, sourceReport)
                uncommitted = 0
            }
            pipeline.recycle(consume work)
            options.onProgress?(sourceReport.records, name)
            if let maximum = options.maximumRejects, Int(sourceReport.rejected) > maximum {
                throw ImportError.tooManyRejects(Int(sourceReport.rejected), maximum: maximum)
            }
        }
        append(sourceReport, of: mapped)
        try commit(file: file + 1, position: nil, nil)
    }

    /// Ends a file. Of several files of one source, the last one has the paths that all of them lack.
    private func append(_ ended: ImportReport.SourceReport, of source: SourceImport) {
        if ended.records > 0 {
            if let earlier = source.missingPaths { tally.report.sources[earlier.file].missingPaths = nil }
            source.missingPaths = MissingPaths(file: tally.report.sources.count, paths: ended.missingPaths ?? [])
        }
        tally.report.sources.append(ended)
    }

    /// The object mappings of all sources.
    var entities: [EntityImport] { sources.flatMap(\.entities) }

    /// What a record names by key.
    struct NamedTarget {
        let slot: Int
        /// Whether it is made where it is missing.
        let isMade: Bool
        /// Whether a list names it.
        let isOfList: Bool
    }

    /// What records name by key.
    var namedTargets: [NamedTarget] {
        entities.flatMap { $0.object.toOnes + $0.object.toManys }.compactMap { relationship in
            guard case .key(let target) = relationship.target else { return nil }
            return NamedTarget(
                slot: target.slot, isMade: target.makesMissing, isOfList: relationship.relationship.isToMany)
        }
    }

    /// The source that a record comes from.
    func source(of record: Int64) -> SourceImport { sources[scope.files[RecordNumber.file(of: record)]] }
}
