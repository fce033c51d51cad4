import CommandLineParsing
import PersistentStores
import StoreImport

struct ImportCommandOptions: OptionTable {
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
    var rejects: String?
    var maximumRejects: Int?
    var isDryRun = false
    var commit = ImportOptions.Commit.whole
    var isResuming = false
    var writer = NewStoreWriter.auto
    var pragmas: [Assignment] = []
    var timeout = LockPatience.standard
    var report: String?
    var progress = ProgressMode.auto
    var isJSON = false
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .optionalValue(
            "store", short: "s", \.store, placeholder: "STORE",
            "The store to fill; it is made where it does not exist."),
        .optionalChoice(
            "store-type", \.storeType, placeholder: "TYPE",
            "The type of a store that is made; what its name ends with without it."),
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "A model bundle, a model, or a folder with some; the model that the store carries without it."),
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The version of the model; the store's own or the current one without it."),
        .optionalValue(
            "configuration", \.configuration, placeholder: "NAME",
            "The configuration of the model that a new store gets; all entities without it."),
        .switch("merge", \.isMerging, "Merge the current versions of the models into one."),
        .optionalValue(
            "language", \.language, placeholder: "LANGUAGE",
            "The language of the model's own names in messages; without it the development language."),
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
            "The attributes that tell objects apart; the model's uniqueness constraint without it."),
        .choice(
            "on-match", \.onMatch, placeholder: "HOW",
            "With --entity: what becomes of an object that has the record's key."),
        .choice(
            "on-missing", \.onMissing, placeholder: "HOW",
            "With --entity: what becomes of a record whose key no object has."),
        .value("batch-rows", \.batchRows, within: 1...1_000_000, placeholder: "N", "Records of a batch."),
        .value("batch-bytes", \.batchBytes, within: .sizesOfBatches, placeholder: "SIZE", "Bytes of a batch."),
        .optionalValue(
            "rejects", \.rejects, placeholder: "DIR",
            "Write rejected records as they are in their source, and a log of the reasons, to this folder."),
        .optionalValue(
            "max-rejects", \.maximumRejects, placeholder: "N",
            "Stop, and change nothing, after more rejected records; with --commit batch what came before stays."),
        .choice(
            "commit", \.commit, placeholder: "WHAT",
            "What is durable: the import as a whole, or each batch with its place in the source."),
        .switch("resume", \.isResuming, "With --commit batch: go on where an interrupted import stopped."),
        .choice(
            "writer", \.writer, placeholder: "WHAT",
            "What writes the rows of a new store: the builder, SQLite, or the builder where it can."),
        .pragmas(\.pragmas),
        .timeout(\.timeout),
        .switch("dry-run", \.isDryRun, "Do everything but the commit, and say what would be done."),
        .optionalValue("report", \.report, placeholder: "FILE", "Write the report as JSON."),
        .choice("progress", \.progress, placeholder: "HOW", "How to show progress."),
        .switch("json", \.isJSON, "Print the report as JSON."),
    ]
}

extension Command {
    static let `import` = Command(
        "import", "Import CSV, JSON, XML and SQLite files into a store",
        discussion:
            "- reads standard input. A record that breaks a rule of the model is rejected whole, and the others "
            + "go on: then the exit status is 1. The store gets all of the rest, or with an error nothing. With --entity the "
            + "records of JSON and XML files are those that fit the entity best, and the tables of a SQLite database that are "
            + "the entity's are imported, with foreign keys and tables of pairs as relationships.",
        operands: .atLeast(1, "SOURCE..."), options: ImportCommandOptions.self
    ) { options in
        try LockPatience.wait(options.timeout) {
            options.isDraft ? try DraftRequest(options).run() : try AnyTypeImport.run(options)
        }
    }
}
