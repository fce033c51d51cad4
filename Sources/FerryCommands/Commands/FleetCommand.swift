import CommandLineParsing

extension Command {
    static let fleet = Command(
        "fleet", "Migrate, convert, check or export many stores, on many machines",
        discussion:
            "plan looks at each store and writes a manifest, whose stores are shared out among shards. run does one "
            + "shard: by a queue's array of jobs, on as many machines as there are, or in a loop. Each shard writes a "
            + "ledger with a row for each store into MANIFEST.ledger. A run can be killed and repeated at any moment. "
            + "status and report read the ledgers, also while shards run.",
        commands: [.fleetPlan, .fleetRun, .fleetStatus, .fleetReport])
}
