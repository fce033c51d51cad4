import CommandLineParsing
import ImportMappings
import PersistentStores
import RecordSources
import StoreImport

struct ImportCommandOptions: SourceOptions {
    var store: String?
    var storeType: StoreTypeArgument?
    var models: [String] = []
    var version: String?
    var configuration: String?
    var isMerging = false
    var language: String?
    var mapping: String?
    var entity: String?
    var isDraft = false
    var key: [String] = []
    var onMatch = MatchPolicy.update
    var onMissing = MissingPolicy.create
    var batchRows = RecordBatch.Limits().rows
    var batchBytes = ByteCount(bytes: RecordBatch.Limits().bytes)
    var largestRecord = ByteCount(bytes: RecordLimits().bytes)
    var rejects: String?
    var maximumRejects: Int?
    var stopsAtFirstFault = false
    var transformers: [TransformerArgument] = []
    var maximumDeletes: DeleteLimitArgument?
    var isDryRun = false
    var commit = ImportOptions.Commit.whole
    var isResuming = false
    var isAbandoning = false
    var writer = NewStoreWriter.auto
    var uuid: UUIDArgument?
    var now: MomentArgument?
    var spool: String?
    var shard: ShardArgument?
    var pragmas: [Assignment] = []
    var timeout = LockWaiting.standard
    var report: String?
    var isForced = false
    var progress = ProgressMode.auto
    var isJSON = false
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .optionalValue(
            "store", short: "s", \.store, placeholder: "STORE",
            "The store to fill; a new one if it does not exist."),
        .optionalChoice(
            "store-type", \.storeType, placeholder: "TYPE",
            "The type of a new store; by default the end of its name decides."),
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "A model bundle, a model, or a folder with some; by default the model that the store carries."),
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The version of the model; the store's own or by default the current one."),
        .optionalValue(
            "configuration", \.configuration, placeholder: "NAME",
            "The configuration of the model that a new store gets; by default all entities."),
        .switch("merge", \.isMerging, "Merge the current versions of the models into one."),
        .optionalValue(
            "language", \.language, placeholder: "LANGUAGE",
            "The language of the model's own names in messages; by default the development language."),
        .optionalValue(
            "mapping", \.mapping, placeholder: "FILE",
            "What the records become, as YAML; see docs/importing.md."),
        .optionalValue(
            "entity", \.entity, placeholder: "ENTITY",
            "Every record is an object of this entity; columns fill the attributes of the same name."),
        .switch(
            "draft-mapping", \.isDraft,
            "Print a mapping with comments, made from the first records of the sources, and import nothing."),
        .values(
            "key", \.key, separator: ",", placeholder: "ATTRIBUTES",
            "The attributes that identify an object; by default the model's uniqueness constraint."),
        .choice(
            "on-match", \.onMatch, placeholder: "HOW",
            "With --entity: what to do if an object has the record's key."),
        .choice(
            "on-missing", \.onMissing, placeholder: "HOW",
            "With --entity: what to do if no object has the record's key."),
        .value("batch-rows", \.batchRows, within: 1...1_000_000, placeholder: "N", "Records of a batch."),
        .value("batch-bytes", \.batchBytes, within: .sizesOfBatches, placeholder: "SIZE", "Bytes of a batch."),
        .value(
            "max-record-size", \.largestRecord, within: .sizesOfRecords, placeholder: "SIZE",
            "The largest record, in bytes: a larger one is rejected."),
        .optionalValue(
            "rejects", \.rejects, placeholder: "DIR",
            "Write rejected records as they are in their source, and a log of the reasons, to this folder; with -, only the "
                + "log, to standard output: an object of JSON a fault."),
        .optionalValue(
            "max-rejects", \.maximumRejects, placeholder: "N",
            "Stop after more rejected records, and change nothing; with --commit batch, earlier batches stay."),
        .switch(
            "first-fault", \.stopsAtFirstFault,
            "Report the first fault of a rejected record only, not all that is wrong with it."),
        .transformers(\.transformers),
        .optionalValue(
            "max-deletes", \.maximumDeletes, placeholder: "LIMIT",
            "Delete at most so many objects because a source with \"mirror\" has them no more, or change nothing; by "
                + "default a tenth of them, at least 10, and never all of an entity."),
        .choice(
            "commit", \.commit, placeholder: "WHAT",
            "What is durable: the import as a whole, or each batch with its place in the source."),
        .switch("resume", \.isResuming, "With --commit batch: continue where an interrupted import stopped."),
        .switch(
            "abandon", \.isAbandoning,
            "Give up an import with --commit batch that was interrupted, and import nothing: what it has committed stays."
        ),
        .choice(
            "writer", \.writer, placeholder: "WHAT",
            "What writes the rows of a new store: the builder, which auto chooses, or SQLite."),
        .optionalValue(
            "uuid", \.uuid, placeholder: "UUID", "The UUID of a new store; by default one that no store has."),
        .optionalValue(
            "now", \.now, placeholder: "DATE",
            "What now() is in the mapping's expressions; by default the start of the run."
        ),
        .optionalValue(
            "spool", \.spool, placeholder: "DIR",
            "With --shard: convert the records of one shard, write them to this folder, and open no store; "
                + "\"ferry assemble\" makes a new store of all shards."),
        .optionalValue(
            "shard", \.shard, placeholder: "I/N", "With --spool: the shard of the sources, from 1/N to N/N."),
        .pragmas(\.pragmas),
        .timeout(\.timeout),
        .switch("dry-run", \.isDryRun, "Do everything but the commit, and say what would be done."),
        .report(\.report),
        .force(\.isForced, "a report, a file of rejected records, or the spool of another import"),
        .progress(\.progress),
        .switch("json", \.isJSON, "Print the report as JSON."),
    ])
}

extension Command {
    static let `import` = Command(
        "import", "Import CSV, JSON, XML, Excel and SQLite files into a store",
        discussion:
            "A SOURCE of - is standard input. A record that breaks a rule of the model is rejected as a whole, "
            + "and the others are imported; the exit status is then 1. After an error, the store is as it was. With "
            + "--entity, the records of JSON and XML files are those that fit the entity best, and of a SQLite "
            + "database the tables that belong to the entity are imported, with foreign keys and tables of pairs as "
            + "relationships.",
        operands: .atLeast(0, "SOURCE..."), options: ImportCommandOptions.self
    ) { options in
        try LockWaiting.wait(options.timeout) {
            if options.isAbandoning { return try AbandonRequest(options).run() }
            guard !options.operands.isEmpty else { throw UsageError.missing("SOURCE...") }
            if options.spool != nil || options.shard != nil { return try SpoolRequest(options).run() }
            return options.isDraft ? try DraftRequest(options).run() : try AnyTypeImport.run(options)
        }
    }
}
