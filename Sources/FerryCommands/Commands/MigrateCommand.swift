import CommandLineParsing
import PersistentStores
import StoreMigration

struct MigrateOptions: SourceOptions {
    var models: [String] = []
    var from: String?
    var to: String?
    var configuration: String?
    var isMerging = false
    var mappings: [String] = []
    var policies: [PolicyArgument] = []
    var policyTimeout = 600
    var chain = ChainMode.auto
    var stages: String?
    var output: String?
    var isInPlace = false
    var backup: String?
    var isDryRun = false
    var rehearses = false
    var failOn: [MigrationGate] = []
    var resumes = false
    var history = HistoryPolicy.automatic
    var narrowing = NumberNarrowing.refuse
    var invalidObjects = InvalidObjectPolicy.refuse
    var batchRows = BatchLimits().rows
    var batchBytes = ByteCount(bytes: BatchLimits().bytes)
    var writer = NewStoreWriter.auto
    var pragmas: [Assignment] = []
    var timeout = LockWaiting.standard
    var verifiesFully = false
    var report: String?
    var isForced = false
    var progress = ProgressMode.auto
    var isJSON = false
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "A model bundle, a model, or a folder with some."
        ).required(),
        .optionalValue(
            "from", \.from, placeholder: "VERSION",
            "The store's version, if its hashes are unknown; its tables must fit."),
        .optionalValue("to", \.to, placeholder: "VERSION", "The version to migrate to; by default the current one."),
        .optionalValue(
            "configuration", \.configuration, placeholder: "NAME",
            "The configuration that the store holds, if its entities do not show it."),
        .switch(
            "merge", \.isMerging,
            "Merge the current versions of the models into one; the store may be of a merge of earlier versions."),
        .values(
            "mapping", \.mappings, placeholder: "FILE",
            "A mapping model in any form, or a folder with some; those on the way are used."),
        .values(
            "policy", \.policies, placeholder: "CLASS=HOW",
            "What replaces this policy class: a program, or default to run the mappings without it."),
        .value(
            "policy-timeout", \.policyTimeout, within: 0...1_000_000, placeholder: "SECONDS",
            "How long a policy's program may be silent while it owes answers; 0 for no limit."),
        .choice(
            "chain", \.chain, placeholder: "HOW",
            "auto follows the mapping models, or takes the one inferred step that an app would take; direct takes one "
                + "step; versions goes over the versions in between."),
        .optionalValue(
            "stages", \.stages, placeholder: "FILE",
            "A YAML file with the stages of the migration, instead of a chain that Ferry finds."),
        .optionalValue("output", short: "o", \.output, placeholder: "NEW", "Write a new store and leave the old one."),
        .switch("in-place", \.isInPlace, "Change the store itself, in one transaction."),
        .optionalValue("backup", \.backup, placeholder: "DIR", "Keep the old files in this folder."),
        .switch("dry-run", \.isDryRun, "Print the plan, and what the data would break; change nothing."),
        .switch(
            "rehearse", \.rehearses,
            "With --dry-run: run all steps on a scratch store, the programs of policies included, and throw it away."),
        .values(
            "fail-on", \.failOn, separator: ",", placeholder: "CODE,...",
            "With --dry-run: exit with 1 on findings of these codes, also notes; dropped for objects and values."),
        .switch(
            "resume", \.resumes,
            "Continue a run that was interrupted, and leave what another run can continue."),
        .choice(
            "history", \.history, placeholder: "HOW",
            "What happens to persistent history; auto keeps it, with the new entity numbers."),
        .choice(
            "narrowing", \.narrowing, placeholder: "HOW",
            "What happens to numbers that an attribute's new type cannot hold: the nearest that it can, or NULL."),
        .choice(
            "invalid", \.invalidObjects, placeholder: "HOW",
            "What happens if a mapping model, a policy or a stage makes objects that break rules of the model: refuse "
                + "as a save would, or write and report them."),
        .value(
            "batch-rows", \.batchRows, within: 1...1_000_000_000, placeholder: "N",
            "The maximum number of rows in a batch."),
        .value(
            "batch-bytes", \.batchBytes, within: .sizesOfBatches, placeholder: "SIZE",
            "The maximum size of a batch whose rows pass through Ferry."),
        .choice(
            "writer", \.writer, placeholder: "WHAT",
            "What writes the tables of a new file: the builder, SQLite, or the builder if possible."),
        .pragmas(\.pragmas),
        .timeout(\.timeout),
        .switch(
            "verify-full", \.verifiesFully,
            "Check every page of the store and of the result, and their indexes, however large they are."),
        .report(\.report, "the report; of a refused migration or a dry run, the plan"),
        .force(\.isForced, "a report"),
        .progress(\.progress),
        .switch("json", \.isJSON, "Print the plan or the report as JSON."),
    ])
}

extension Command {
    static let migrate = Command(
        "migrate", "Migrate a store to another version of its model",
        discussion:
            "Without --output and --in-place, a staged copy takes the store's place at the end. Whatever happens, "
            + "the old store is intact or the new one is complete.",
        operands: .one("STORE"), options: MigrateOptions.self
    ) { options in
        try LockWaiting.wait(options.timeout) { try MigrateRequest(options).run() }
    }
}
