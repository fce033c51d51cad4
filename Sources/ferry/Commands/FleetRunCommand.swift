import CommandLineParsing
import PersistentStores
import StoreFleets

struct FleetRunOptions: OptionTable {
    var shard: ShardArgument?
    var jobs = 1
    var retriesFailed = false
    var timeout = LockPatience.standard
    var isJSON = false
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .optionalValue(
            "shard", \.shard, placeholder: "I/N", "The shard to run, from 1/N to N/N; N is that of the plan."
        ).required(),
        .value(
            "jobs", short: "j", \.jobs, within: 1...1024, placeholder: "J",
            "How many stores are worked on at a time."),
        .switch("retry-failed", \.retriesFailed, "Try stores again that failed for a reason that does not pass."),
        .timeout(\.timeout),
        .switch("json", \.isJSON, "Print JSON."),
    ]
}

extension Command {
    static let fleetRun = Command(
        "run", "Run a shard of a fleet",
        discussion:
            "Works on each store of the shard that is not done, and writes a row to the shard's ledger for each. What is "
            + "wrong with a store is in its row, and stops nothing. The exit status is 0 when every store has a row, "
            + "whatever it says; 3 if some failed for a reason that may pass, if the run was asked to end, or if "
            + "another one has the shard; and 2 if the shard cannot be run at all.",
        operands: .one("MANIFEST"), options: FleetRunOptions.self
    ) { options in
        guard let shard = options.shard else { throw UsageError.missing("--shard I/N") }
        Cancellation.watchSignals()
        let manifest = try FleetManifest(path: options.operands[0])
        var settings = FleetRunner.Options()
        settings.jobs = options.jobs
        settings.retriesFailed = options.retriesFailed
        settings.lockTimeout = LockPatience.milliseconds(options.timeout)
        settings.isCancelled = { Cancellation.isRequested }
        settings.onCheckpoint = CrashInjection.checkpoint
        let report = try FleetRunner(options: settings).run(manifest, shard: shard.number, of: shard.count)
        Console.print(options.isJSON ? try JSONText.text(report) : report.description)
        return report.isWorthRetrying ? .temporary : .done
    }
}
