import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess

/// The import of the records of sources into a store, batch by batch: records are converted, their objects are found or
/// created, and written (docs/format/importing.md#batches).
///
/// Objects are written before links. A link to an object that does not exist yet waits on disk until all records are
/// read.
public final class ImportSession {
    let connection: Connection
    /// The schema of the working tables, `temp` or `main`.
    let schema: String
    /// The progress of the import, if it commits each batch; otherwise nil.
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
    /// The relationships that the mappings contain, with their numbers.
    var links = MappedLinks()
    let history: HistoryWriter?
    let external: ExternalData
    let linkStage: LinkStage
    /// The keys that exist only in the sources, by the number of their components.
    var sourceKeys: [Int: SourceKeys] = [:]
    let batchState = BatchState()
    let rejects: RejectWriter?
    let obligations: PendingChecks
    /// The records that may still be rejected when all records are read; nil if every record is proven when its batch
    /// is written.
    let unproven: UnprovenRecords?
    /// The assembler of a new store; nil if objects are looked up.
    var assembler: RecordAssembler?
    /// By the root of a table in a new store, the uniqueness constraints that do not distinguish its objects by
    /// themselves: they are not the key of the objects, or the objects belong to several entities, and each is
    /// distinguished from those of its own entity.
    private(set) lazy var otherConstraints = AssemblyConditions.otherConstraints(self)
    private(set) lazy var linkCounts = LinkCounts(self)
    private(set) lazy var log = ChangeLog(self)
    private(set) lazy var batchWriter = BatchWriter(self)
    private(set) lazy var settlement = Settlement(self)
    /// The records that are revoked; nil if every record is proven when its batch is written.
    private(set) var taken: RevokedRecords?
    /// The objects of rejected records; nil if no record could end links that others have named, or if no files of
    /// rejected records are written.
    var refusedObjects: RefusedObjects?
    /// The objects that records contain; nil if no source is mirrored, or if the store is new.
    let mirror: MirroredObjects?
    /// The keys of rejected records; nil if no record is skipped because its object does not exist, or if no files of
    /// rejected records are written.
    var rejectedKeys: RejectedKeys?
    let tally: ImportTally

    /// - Parameters:
    ///   - connection: the connection to the store, open for writing; within a transaction if the import is a whole.
    ///   - layout: the layout of the store.
    ///   - compiled: the compiled mappings.
    ///   - options: the options of the import.
    ///   - store: the path of the store.
    ///   - shownStore: the name of the store in messages; nil for its path.
    ///   - deferredIndexes: the indexes that a new store does not have yet.
    ///   - progress: the progress of an import that commits each batch; otherwise nil.
    ///   - isNew: whether `begin` is called next, for a new store.
    @_optimize(size)
    init(
        connection: Connection, layout: StoreLayout, compiled: CompiledImport, options: ImportOptions, store: String,
        shownStore: String? = nil, deferredIndexes: [StoreIndex], progress: ImportProgress? = nil, isNew: Bool = false
    ) throws {
        self.progress = progress
        // If batches are durable, what waits for later batches must survive a crash.
        schema = progress == nil ? "temp" : "main"
        self.connection = connection
        self.layout = layout
        self.options = options
        cache = StorePages(options.fixedLimits.pages)
        scope = ImportScope(compiled, layout.model)
        indexes = IndexKeeper(connection, deferred: deferredIndexes)
        keys = try PrimaryKeyAllocator(connection, layout: layout)
        // In a resumed import, objects of its earlier runs count as new.
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
        // A new store has no objects that its sources could lack.
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
        // If a new store is assembled, records may be rejected late for faults that SQLite would detect immediately.
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
        // If batches are committed, the pages of the store change. This must come before anything is written.
        if !isNew, progress == nil { try prepareEarlierRows() }
        // A new store that is assembled needs no look-ups and no writers of other sides.
        if !isNew { try prepareKeys() }
        try batchWriter.prepareOwners()
        if !isNew { try prepareInverses() }
        try prepareLargeLoads()
        if let progress, progress.source > 0 || progress.position != nil { takeUp(progress) }
    }

    /// Imports all records of one file, which are read or converted on another thread meanwhile.
    ///
    /// - Parameters:
    ///   - records: the records.
    ///   - file: the index of the file.
    ///   - earlier: the report of an interrupted run about this file; nil if there is none.
    ///   - part: what distinguishes its records from others of the same file; nil if the whole file is read.
    ///   - relation: the table or the query of a database; nil for other files.
    func importRecords(
        of records: any ConvertedRecords, as file: Int, goingOnWith earlier: ImportReport.SourceReport? = nil,
        part: String? = nil, relation: String? = nil
    ) throws {
        reading = FileReading(file: file, isOfUnlinkedRecords: RejectFileName.isUnlinked(records.name))
        let mapped = sources[scope.files[file]]
        let (name, guessedEncoding) = (records.name, records.guessedEncoding)
        // In an assembled store, keys, links, source keys and unique values apply in the order of the records, no
        // matter how these are divided into batches.
        let isSequential =
            mapped.compiled.isSequential || assembler == nil && mapped.compiled.isLookedUpInTurn(layout)
        var limits = options.limits
        if isSequential { limits.rows = 1 }
        /// The number of records after the last commit.
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

    /// Adds the report of a completed file. If one source has several files, the report of the last one has the paths
    /// that all of them lack.
    private func append(_ ended: ImportReport.SourceReport, of source: SourceImport) {
        if ended.records > 0 {
            if let earlier = source.missingPaths { tally.report.sources[earlier.file].missingPaths = nil }
            source.missingPaths = MissingPaths(file: tally.report.sources.count, paths: ended.missingPaths ?? [])
        }
        tally.report.sources.append(ended)
    }

    /// The object mappings of all sources.
    var entities: [EntityImport] { sources.flatMap(\.entities) }

    /// A destination that records name by a key.
    struct NamedTarget {
        let slot: Int
        /// Whether it is created if it does not exist.
        let isMade: Bool
        /// Whether a list names it.
        let isOfList: Bool
    }

    /// The destinations that records name by keys.
    var namedTargets: [NamedTarget] {
        entities.flatMap { $0.object.toOnes + $0.object.toManys }.compactMap { relationship in
            guard case .key(let target) = relationship.target else { return nil }
            return NamedTarget(
                slot: target.slot, isMade: target.makesMissing, isOfList: relationship.relationship.isToMany)
        }
    }

    /// Returns the source of a record.
    func source(of record: Int64) -> SourceImport { sources[scope.files[RecordNumber.file(of: record)]] }
}
