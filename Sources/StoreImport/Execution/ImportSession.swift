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
    /// The sources as they were given, where batches are durable one by one.
    var sourcePaths: [String] = []
    /// SQLite's number for what other connections have committed.
    var dataVersion: Int64?
    let layout: StoreLayout
    let options: ImportOptions
    let indexes: IndexKeeper
    /// The mappings of the sources.
    private(set) var sources: [SourceImport] = []
    /// By file, the index of its source.
    let files: [Int]
    /// The file that is being read.
    private(set) var file = 0
    /// Whether its records were imported before, but for links.
    private(set) var isOfUnlinkedRecords = false
    var keys: PrimaryKeyAllocator
    var resolvers: [ReferenceResolver]
    var cache: StorePages
    /// By table and column.
    var orderKeys: [String: OrderKeyAllocator] = [:]
    /// By the number of a to-one whose inverse is ordered.
    var arrivals: [Int64: (arrivals: OrderedArrivals, keys: OrderKeyAllocator)] = [:]
    /// The relationships are numbered through all mappings.
    var links = MappedLinks()
    let history: HistoryWriter?
    let external: ExternalData
    let pending: PendingLinks
    /// By the number of their parts, the keys that only the sources have.
    var sourceKeys: [Int: SourceKeys] = [:]
    var isRejected: [Bool] = []
    /// While objects are written: the records that are rejected then, after others of theirs may have been written.
    var late: LateRejections?
    let rejects: RejectWriter?
    var rejectSource: RejectSource?
    /// By file, for records that are rejected when all are read.
    var rejectSources: [Int: RejectSource] = [:]
    /// By entity, the last file that makes objects of it, or names some that are made then.
    let lastFiles: [Int: Int]
    /// By root, how many object mappings make its objects.
    let objectCounts: [Int: Int]
    let obligations: PendingChecks
    /// nil if every record is proven when its batch is written.
    let openRecords: PendingRecords?
    var log = BatchLog()
    /// While a new store is assembled.
    var assembled: ObjectAssembly?
    /// By the root of a table of a new store, the uniqueness constraints that do not tell its objects apart by themselves:
    /// they are not the key of the objects, or these are of several entities, each told apart from those of its own.
    private(set) lazy var otherConstraints = findOtherConstraints()
    /// What has to be counted of a new store that is assembled, when all objects are there.
    private(set) lazy var countedRelationships = findCountedRelationships()
    /// The numbers of relationships that mappings of an entity and of its subentity have: links are counted with the entity
    /// of their object.
    private(set) lazy var sharedLinks = findSharedLinks()
    /// nil if every record is proven when its batch is written.
    private(set) var taken: RevokedRecords?
    /// nil if every record is proven when its batch is written.
    let named: NamedLinks?
    /// nil if every record is proven when its batch is written.
    let said: RecordedObjects?
    /// nil if every record is proven when its batch is written.
    let replaced: ReplacedValues?
    /// nil if no record could end links that others have named, or if no files of rejected records are written.
    var refusedObjects: RefusedObjects?
    /// nil if every record is proven when its batch is written.
    let rejectedRivals: RejectedRivals?
    /// Objects that cannot have the values yet that they have without a record which is taken back: another has them.
    var unrestored: [(object: Int64, root: Int)] = []
    /// nil if every record is proven when its batch is written.
    let oneToOnes: OneToOneEnds?
    let absent: AbsentLinks
    /// What to-ones of objects that were there led to before.
    let firstDestinations: FirstDestinations
    /// Whether the links are written that waited: those that are lost are written at once then.
    var areLinksWritten = false
    /// While waiting links are written where only what is empty is filled.
    var filled = FillState()
    let removal: ObjectRemoval
    /// nil if no source is mirrored, or the store is new.
    let mirror: MirroredObjects?
    /// Whether links were followed again after others were put in order.
    var hasFollowedLostLinks = false
    /// Whether objects have gone that records name whose links wait.
    var hasUnmadeObjects = false
    /// The objects that were made because a record of the batch names them, by root and key, with the first such record.
    var namers: [NamedObject: Int64] = [:]
    /// The records of the batch whose links may turn out to lead nowhere.
    var waitingRecords = Set<Int>()
    /// nil if no record is skipped where its object is missing, or if no files of rejected records are written.
    var rejectedKeys: RejectedKeys?
    /// The records of the batch that are rejected.
    var rejectedNow: [Int] = []
    /// The records of the batch that are written as rejected when it is done, and why.
    var refused: [(record: Int, rejection: RecordRejection)] = []
    var report: ImportReport
    var entityReports: [String: ImportReport.EntityReport] = [:]

    /// - Parameters:
    ///   - connection: open for writing, with a transaction open where the import is to be whole.
    ///   - shownStore: what messages call the store; nil for its path.
    ///   - deferredIndexes: indexes that a new store does not have yet.
    ///   - isNew: whether `beginAssembly` follows.
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
        files = compiled.files
        objectCounts = compiled.sources.flatMap(\.objects).reduce(into: [:]) { $0[$1.table.root, default: 0] += 1 }
        lastFiles = Self.lastFiles(compiled, layout.model)
        indexes = IndexKeeper(connection, deferred: deferredIndexes)
        keys = try PrimaryKeyAllocator(connection, layout: layout)
        // An import that goes on takes what its first part made for new.
        if let first = progress?.firstKeys { keys.firstNew = first }
        self.progress?.firstKeys = keys.firstNew
        pending = try PendingLinks(connection, schema: schema)
        history = try HistoryWriter(connection, layout: layout)
        rejects = options.rejectsDirectory.map {
            RejectWriter(
                directory: $0, goingOnFrom: progress?.rejects ?? RejectCheckpoint(),
                isReplacing: options.replacesRejects, mostOpen: options.fixedLimits.openRejectFiles)
        }
        report = ImportReport(store: shownStore ?? store, isDryRun: options.isDryRun)
        let obligations = try PendingChecks(
            compiled, lastFiles: lastFiles, connection: connection, layout: layout, indexes: indexes)
        self.obligations = obligations
        openRecords = obligations.mayOpen.contains(true) ? try PendingRecords(connection, schema: schema) : nil
        taken = obligations.mayOpen.contains(true) ? try RevokedRecords(connection, schema: schema) : nil
        let window = options.fixedLimits.namedLinks
        named =
            obligations.mayOpen.contains(true)
            ? try NamedLinks(connection, schema: schema, windowSize: window) : nil
        said = obligations.mayOpen.contains(true) ? try RecordedObjects(connection, schema: schema) : nil
        replaced = obligations.mayOpen.contains(true) ? try ReplacedValues(connection, schema: schema) : nil
        rejectedRivals = obligations.mayOpen.contains(true) ? try RejectedRivals(connection, schema: schema) : nil
        oneToOnes = obligations.mayOpen.contains(true) ? try OneToOneEnds(connection, schema: schema) : nil
        absent = try AbsentLinks(connection, schema: schema)
        firstDestinations = FirstDestinations(connection, schema: schema)
        // A new store has nothing that its sources could lack.
        mirror =
            isNew ? nil : try MirroredObjects(compiled.sources, connection: connection, layout: layout, schema: schema)
        removal = ObjectRemoval(connection, layout: layout, indexes: indexes)
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
            sources.append(try SourceImport(source, index: index, writers: writers, obligations, indexes))
        }
        // A new store that is assembled may reject records late for what SQLite would know at once.
        if taken == nil, isNew, sources.contains(where: { mayRejectLate($0.compiled) }) {
            taken = try RevokedRecords(connection, schema: schema)
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
        try prepareOwners()
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
        self.file = file
        isOfUnlinkedRecords = RejectFileName.isUnlinked(records.name)
        let mapped = sources[files[file]]
        let (name, guessedEncoding) = (records.name, records.guessedEncoding)
        let isSequential = mapped.compiled.isSequential
        var limits = options.limits
        if isSequential { limits.rows = 1 }
        /// Records behind the last commit.
        var uncommitted = 0
        // Reading a spool takes little; where records are converted, that thread may be the slower one.
        let preparation =
            records.areStored
            ? assembled?.preparation(of: mapped.compiled, at: files[file], options.fixedLimits) : nil
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
                rejectSource = found
                keep(found, at: file)
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
            if let earlier = source.missingPaths { report.sources[earlier.file].missingPaths = nil }
            source.missingPaths = MissingPaths(file: report.sources.count, paths: ended.missingPaths ?? [])
        }
        report.sources.append(ended)
    }

    /// The object mappings of all sources.
    var entities: [EntityImport] { sources.flatMap(\.entities) }

    /// The object mapping whose objects have a link that waited.
    func object(of link: PendingLink) -> CompiledObject { sources[link.source].entities[link.object].object }

    /// The relationship of a link that waited.
    func relationship(of link: PendingLink) -> RelationshipImport {
        sources[link.source].entities[link.object].relationships[link.relationship]
    }

    func field(_ origin: CompiledOrigin, _ record: Int, _ node: Int, _ batch: inout RecordBatch) -> RecordField {
        origin.field(record, node, &batch)
    }
}
