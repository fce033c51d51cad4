import CommandLineParsing
import PersistentStores
import StoreConversion

struct ConvertOptions: SourceOptions {
    var models: [String] = []
    var version: String?
    var configuration: String?
    var isMerging = false
    var type: StoreTypeArgument?
    var output: String?
    var keepsIDs = false
    var givesNewUUID = false
    var vacuums = false
    var pragmas: [Assignment] = []
    var writer = NewStoreWriter.auto
    var idMap: String?
    var isDryRun = false
    var report: String?
    var isForced = false
    var progress = ProgressMode.auto
    var isJSON = false
    var timeout = LockWaiting.standard
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "A model bundle, a model, or a folder with some; by default the model that the store carries."),
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The store's version, if its hashes do not show it."),
        .optionalValue(
            "configuration", \.configuration, placeholder: "NAME",
            "The configuration whose objects are converted; by default all objects."),
        .switch("merge", \.isMerging, "Merge the current versions of the models into one."),
        .optionalChoice(
            "to", \.type, placeholder: "TYPE", "The type of the new store; by default the end of its name decides."),
        .optionalValue("output", short: "o", \.output, placeholder: "NEW", "The new store.").required(),
        .switch(
            "keep-ids", \.keepsIDs,
            "Keep the keys that another type of store would renumber, so that URIs stay valid."),
        .switch("new-uuid", \.givesNewUUID, "Give the new store a UUID of its own, not the old store's."),
        .switch("vacuum", \.vacuums, "Vacuum a new SQLite store at the end."),
        .pragmas(\.pragmas),
        .choice(
            "writer", \.writer, placeholder: "WHAT",
            "What writes the rows of a new SQLite store: the builder, which auto chooses, or SQLite."),
        .optionalValue("id-map", \.idMap, placeholder: "FILE", "Write each object's old and new key as CSV."),
        .timeout(\.timeout),
        .switch("dry-run", \.isDryRun, "Say what would be done, and write nothing."),
        .optionalValue("report", \.report, placeholder: "FILE", "Write the report as JSON; - is standard output."),
        .force(\.isForced, "a report, or a table of keys,"),
        .progress(\.progress),
        .switch("json", \.isJSON, "Print the report as JSON."),
    ])
}

extension Command {
    static let convert = Command(
        "convert", "Convert a store to another type, merge stores, or split one",
        discussion:
            "Reads SQLite, XML and binary stores, which it tells apart by their content, and leaves them as they "
            + "are. Several stores of one model version become one. Findings about the data give exit status 1.",
        operands: .atLeast(1, "STORE..."), options: ConvertOptions.self
    ) { options in
        let request = try ConvertRequest(options)
        return try LockWaiting.wait(options.timeout) { try request.run() }
    }
}
