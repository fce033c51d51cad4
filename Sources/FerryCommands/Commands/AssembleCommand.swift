import CommandLineParsing
import PersistentStores

struct AssembleOptions: OptionTable {
    var store: String?
    var uuid: UUIDArgument?
    var rejects: String?
    var maximumRejects: Int?
    var stopsAtFirstFault = false
    var isDryRun = false
    var writer = NewStoreWriter.auto
    var pragmas: [Assignment] = []
    var report: String?
    var isForced = false
    var progress = ProgressMode.auto
    var isJSON = false
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .optionalValue("store", short: "s", \.store, placeholder: "STORE", "The new store.").required(),
        .optionalValue(
            "uuid", \.uuid, placeholder: "UUID", "The UUID of the store; by default one that no store has."),
        .optionalValue(
            "rejects", \.rejects, placeholder: "DIR",
            "Write rejected records as they are in their source, and a log of the reasons, to this folder; with -, only the "
                + "log, to standard output: an object of JSON a fault."),
        .optionalValue(
            "max-rejects", \.maximumRejects, placeholder: "N", "Stop after more rejected records, and make no store."),
        .switch(
            "first-fault", \.stopsAtFirstFault,
            "Report the first fault of a rejected record only, not all that is wrong with it."),
        .choice(
            "writer", \.writer, placeholder: "WHAT",
            "What writes the rows of a new store: the builder, which auto chooses, or SQLite."),
        .pragmas(\.pragmas),
        .switch("dry-run", \.isDryRun, "Do everything but make the store, and say what would be done."),
        .report(\.report),
        .force(\.isForced, "a report, or a file of rejected records"),
        .progress(\.progress),
        .switch("json", \.isJSON, "Print the report as JSON."),
    ]
}

extension Command {
    static let assemble = Command(
        "assemble", "Make a store of the records that the shards of an import have converted",
        discussion:
            "Each DIR has the spool of one shard, or of several, as \"ferry import --spool DIR --shard I/N\" writes them. The "
            + "store is that of one import of all sources, whatever N is, and so are the report and the rejected records. "
            + "Shards that are missing, are there twice, or are of another import are refused.",
        operands: .atLeast(1, "DIR..."), options: AssembleOptions.self
    ) { options in
        try AssembleRequest(options).run()
    }
}
