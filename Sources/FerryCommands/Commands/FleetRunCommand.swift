import CommandLineParsing
import PersistentStores
import StoreFleets

struct FleetRunOptions: OptionTable {
    var shard: ShardArgument?
    var jobs = 1
    var retriesFailed = false
    var canary: ShareArgument?
    var maximumFailures: ShareArgument?
    var fetch: StagingArgument?
    var store: StagingArgument?
    var stagingFolder: String?
    var timeout = LockWaiting.standard
    var progress = ProgressMode.auto
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
        .optionalValue(
            "canary", \.canary, placeholder: "SHARE",
            "Try this share of the stores first, as in 1%, of all versions and sizes; go on if few enough fail."),
        .optionalValue(
            "max-failures", \.maximumFailures, placeholder: "SHARE",
            "With --canary: which share of the stores that are tried first may fail; by default none."),
        .optionalValue(
            "fetch", \.fetch, placeholder: "COMMAND",
            "A command of the shell that brings the store {} into its working directory, as {/}."),
        .optionalValue(
            "store", \.store, placeholder: "COMMAND",
            "With --fetch: a command of the shell that takes back the file {/} of the store {}, if it has changed."),
        .optionalValue(
            "staging", \.stagingFolder, placeholder: "DIR",
            "With --fetch: where the copies lie; by default in the folder for temporary files."),
        .timeout(\.timeout),
        .progress(\.progress),
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
            + "another one has the shard; and 2 if the shard cannot be run at all, or too many of --canary failed.",
        operands: .one("MANIFEST"), options: FleetRunOptions.self
    ) { options in
        guard let shard = options.shard else { throw UsageError.missing("--shard I/N") }
        for (isGiven, option, other) in [
            (options.maximumFailures != nil && options.canary == nil, "--max-failures", "--canary"),
            (options.store != nil && options.fetch == nil, "--store", "--fetch"),
            (options.stagingFolder != nil && options.fetch == nil, "--staging", "--fetch"),
        ] where isGiven { throw UsageError.dependent(option, on: other) }
        Cancellation.watchSignals()
        let manifest = try FleetManifest(path: options.operands[0])
        var settings = FleetRunner.Options()
        settings.jobs = options.jobs
        settings.retriesFailed = options.retriesFailed
        settings.canary = options.canary.map {
            Canary(share: $0.share, tolerance: options.maximumFailures?.share ?? 0)
        }
        settings.fetch = options.fetch?.command
        settings.store = options.store?.command
        settings.stagingFolder = options.stagingFolder
        settings.lockTimeout = LockWaiting.milliseconds(options.timeout)
        settings.isCancelled = { Cancellation.isRequested }
        settings.onCheckpoint = CrashInjection.checkpoint
        let report = try ProgressWatch.during("running", options.progress) { watch in
            settings.onProgress = { watch.count($0, of: $1, unit: "store") }
            return try FleetRunner(options: settings).run(manifest, shard: shard.number, of: shard.count)
        }
        Console.print(options.isJSON ? try JSONText.text(report) : report.description)
        return report.isWorthRetrying ? .temporary : .done
    }
}
