import CommandLineParsing
import StoreExport
import StoreFleets
import StoreMigration
import StoreVerification

struct FleetPlanOptions: SourceOptions {
    var operation = FleetOperation.migrate
    var models: [String] = []
    var to: String?
    var version: String?
    var mappings: [String] = []
    var policies: [PolicyArgument] = []
    var policyTimeout = 600
    var chain = ChainMode.auto
    var history = HistoryPolicy.automatic
    var narrowing = NumberNarrowing.refuse
    var invalidObjects = InvalidObjectPolicy.refuse
    var keepsIDs = false
    var fixes: [String] = []
    var keep = SurvivorArgument(.first)
    var entities: [String] = []
    var format: ExportFormat?
    var backup: String?
    var outputDirectory: String?
    var shards = 1
    var manifest: String?
    var storesFrom: String?
    var isRemote = false
    var timeout = LockWaiting.standard
    var progress = ProgressMode.auto
    var isJSON = false
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .choice("operation", \.operation, placeholder: "WHAT", "What is done to each store."),
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "A model bundle, a model, or a folder with some."
        ).required(),
        .optionalValue(
            "to", \.to, placeholder: "VERSION",
            "migrate: the version to migrate to, by default the current one. convert: the type of the new stores."),
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "Except migrate: the version that made the stores, if their hashes do not show it."),
        .values(
            "mapping", \.mappings, placeholder: "FILE",
            "migrate: a mapping model in any form, or a folder with some; those on the way are used."),
        .values(
            "policy", \.policies, placeholder: "CLASS=HOW",
            "migrate: what replaces this policy class: a program, or default to run the mappings without it."),
        .value(
            "policy-timeout", \.policyTimeout, within: 0...1_000_000, placeholder: "SECONDS",
            "How long a policy's program may be silent while it owes answers; 0 for no limit."),
        .choice("chain", \.chain, placeholder: "HOW", "How the steps are found, as in ferry migrate."),
        .choice("history", \.history, placeholder: "HOW", "What happens to persistent history."),
        .choice(
            "narrowing", \.narrowing, placeholder: "HOW",
            "What happens to numbers that an attribute's new type cannot hold."),
        .choice("invalid", \.invalidObjects, placeholder: "HOW", "What happens to objects that break rules."),
        .switch("keep-ids", \.keepsIDs, "convert: keep the keys that another type of store would renumber."),
        .values("fix", \.fixes, placeholder: "RULE", "repair: a rule whose faults are repaired, by its code."),
        .value(
            "keep", \.keep, placeholder: "WHICH",
            "repair: of objects with equal unique values: first, last, or newest:ATTRIBUTE."),
        .values(
            "entity", short: "e", \.entities, separator: ",", placeholder: "ENTITIES",
            "export: the entities; by default all that have objects of their own."),
        .optionalChoice("format", short: "f", \.format, placeholder: "FORMAT", "export: how the objects are written."),
        .optionalValue(
            "backup", \.backup, placeholder: "DIR",
            "migrate, repair: keep the old files, of each store in a folder of its own in this one."),
        .optionalValue(
            "output-dir", \.outputDirectory, placeholder: "DIR",
            "Write what is made of the stores below this folder and leave the stores; convert and export need it."),
        .value(
            "shards", \.shards, within: 1...1_000_000, placeholder: "N",
            "How many shards the stores are shared out among, by cost."),
        .optionalValue("output", short: "o", \.manifest, placeholder: "MANIFEST", "The manifest to write.").required(),
        .optionalValue(
            "stores-from", \.storesFrom, placeholder: "FILE",
            "Read paths of stores and folders from a file, one a line; - for standard input."),
        .switch(
            "remote", \.isRemote,
            "The stores are names for --fetch of ferry fleet run, not files here; a tab and bytes may follow in a list."
        ),
        .timeout(\.timeout),
        .progress(\.progress),
        .switch("json", \.isJSON, "Print JSON."),
    ])
}

extension Command {
    static let fleetPlan = Command(
        "plan", "Look at many stores and share them out among shards",
        discussion:
            "Reads the metadata of each store and changes none. Of a folder all stores below it are meant; a STORE that "
            + "is not there may be a pattern with *, ?, [...] and **. A store that "
            + "cannot be read, or whose version is unknown, is planned as well: its row in the ledger says why it "
            + "failed. New stores and backups have the paths that the stores have in the named folder; stores that are "
            + "named themselves have their whole path. The exit status is 1 if some stores are known to fail.",
        operands: .atLeast(0, "STORE..."), options: FleetPlanOptions.self
    ) { options in
        let request = try FleetPlanRequest(options)
        return try LockWaiting.wait(options.timeout) {
            try ProgressWatch.during("planning", options.progress) { try request.run($0) }
        }
    }
}
