import CommandLineParsing
import StoreVerification

struct RepairOptions: OptionTable {
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
    var timeout = LockPatience.standard
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "Models to find the store's version among; the model that the store carries without it."),
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The version that the store was made with; the one with its hashes without it."),
        .optionalValue(
            "configuration", \.configuration, placeholder: "NAME",
            "The configuration that the store holds, where its entities do not tell."),
        .values("fix", \.fixes, placeholder: "RULE", "A rule whose faults are repaired; its code.").required(),
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
        .value("limit", \.limit, within: 0...1_000_000, placeholder: "N", "How many objects a repair names."),
        .switch("json", \.isJSON, "Print JSON."),
    ]
}

extension Command {
    static let repair = Command(
        "repair", "Repair faults of a store that verify has found",
        discussion: "Works on a copy, which is verified before it takes the store's place: a repair that would make "
            + "other "
            + "errors is refused. Only the rules that are named are repaired, and nothing is removed unless a rule "
            + "does so: "
            + "unknown-entity-number, abstract-entity and uniqueness-violated remove objects, dangling-join-row "
            + "links, and "
            + "external-data-unused files. Derived attributes are computed anew where links have changed. Exits with 1 "
            + "where warnings or errors are left.",
        operands: .one("STORE"), options: RepairOptions.self
    ) { options in
        let request = try RepairRequest(options)
        return try LockPatience.wait(options.timeout) { try request.run() }
    }
}
