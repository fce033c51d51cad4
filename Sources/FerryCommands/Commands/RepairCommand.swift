import CommandLineParsing
import StoreVerification

struct RepairOptions: SourceOptions {
    var models: [String] = []
    var version: String?
    var configuration: String?
    var fixes: [String] = []
    var keep = SurvivorArgument(.first)
    var output: String?
    var backup: String?
    var isDryRun = false
    var showsSQL = false
    var limit = StoreRepair.Options().exampleLimit
    var isJSON = false
    var pragmas: [Assignment] = []
    var progress = ProgressMode.auto
    var timeout = LockWaiting.standard
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "Models to find the store's version among; by default the model that the store carries."),
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The version that made the store; by default the one with its hashes."),
        .optionalValue(
            "configuration", \.configuration, placeholder: "NAME",
            "The configuration that the store holds, if its entities do not show it."),
        .values("fix", \.fixes, placeholder: "RULE", "A rule whose faults are repaired, by its code.").required(),
        .value(
            "keep", \.keep, placeholder: "WHICH",
            "Of objects with equal unique values: first, last, or newest:ATTRIBUTE."),
        .optionalValue(
            "output", short: "o", \.output, placeholder: "FILE",
            "Write the repaired store there and leave the old one."),
        .optionalValue("backup", \.backup, placeholder: "DIR", "Keep the old files in this folder."),
        .switch("dry-run", \.isDryRun, "Say what would be done, and change nothing."),
        .switch("sql", \.showsSQL, "Print the statements too."),
        .pragmas(\.pragmas),
        .timeout(\.timeout),
        .progress(\.progress),
        .value("limit", \.limit, within: 0...1_000_000, placeholder: "N", "How many objects a repair names."),
        .switch("json", \.isJSON, "Print JSON."),
    ])
}

extension Command {
    static let repair = Command(
        "repair", "Repair faults of a store that verify has found",
        discussion:
            "Works on a copy, which is verified before it takes the store's place; a repair that would cause "
            + "other errors is refused. Only the named rules are repaired. Objects are removed for "
            + "unknown-entity-number, abstract-entity and uniqueness-violated only, rows of join tables for "
            + "dangling-join-row, and files for external-data-unused. Derived attributes are computed again if "
            + "links have changed. The exit status is 1 if warnings or errors remain.",
        operands: .one("STORE"), options: RepairOptions.self
    ) { options in
        let request = try RepairRequest(options)
        return try LockWaiting.wait(options.timeout) {
            try ProgressWatch.during("repairing", options.progress) { try request.run($0) }
        }
    }
}
