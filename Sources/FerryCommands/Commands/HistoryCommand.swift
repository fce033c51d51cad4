import CommandLineParsing

struct HistoryOptions: OptionTable {
    var since: String?
    var after: String?
    var before: String?
    var author: String?
    var entity: String?
    var limit = 0
    var showsChanges = false
    var isPruning = false
    var through: String?
    var keep: String?
    var isForced = false
    var backup: String?
    var isDryRun = false
    var progress = ProgressMode.auto
    var timeout = LockWaiting.standard
    var isJSON = false
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .optionalValue(
            "since", \.since, placeholder: "TOKEN",
            "Only transactions after this token, which an earlier run printed; 134301 and status 2 if some are gone."),
        .optionalValue("after", \.after, placeholder: "DATE", "Only transactions from this moment on."),
        .optionalValue(
            "before", \.before, placeholder: "DATE",
            "Only transactions before this moment; with --prune, those are removed."),
        .optionalValue("author", \.author, placeholder: "NAME", "Only transactions of this author."),
        .optionalValue(
            "entity", short: "e", \.entity, placeholder: "ENTITY",
            "Only changes of this entity's objects, and the transactions that have some."),
        .value(
            "limit", \.limit, within: 0...Int.max, placeholder: "N", "The maximum number of transactions; 0 for all."),
        .switch("changes", \.showsChanges, "Print each changed object."),
        .switch("prune", \.isPruning, "Remove old transactions: --before, --through or --keep says which."),
        .optionalValue(
            "through", \.through, placeholder: "TOKEN", "With --prune: remove the transactions up to this token."),
        .optionalValue("keep", \.keep, placeholder: "N", "With --prune: remove all but the last N transactions."),
        .switch(
            "force", \.isForced,
            "With --prune: also in a store that is mirrored with CloudKit; what is not exported yet never will be."),
        .optionalValue("backup", \.backup, placeholder: "DIR", "With --prune: keep the old files in this folder."),
        .switch("dry-run", \.isDryRun, "With --prune: do everything but the commit, and say what would be removed."),
        .timeout(\.timeout),
        .progress(\.progress),
        .switch("json", \.isJSON, "Print JSON."),
    ]
}

extension Command {
    static let history = Command(
        "history", "List and prune the persistent history of a store",
        discussion:
            "Persistent history is the list of transactions that Core Data keeps in a store that is configured for it: "
            + "who saved when, and which objects were inserted, updated and deleted. The token that is printed at the "
            + "end stands for all transactions that were looked at; with --since, the next run prints what came later. "
            + "--prune removes old transactions, all in one transaction of SQLite. The file does not become smaller: its "
            + "pages are used again.",
        operands: .one("STORE"), options: HistoryOptions.self
    ) { options in
        let request = try HistoryRequest(options)
        return try LockWaiting.wait(options.timeout) {
            let progress = options.isPruning ? options.progress : options.progress.besideData
            return try ProgressWatch.during(options.isPruning ? "pruning" : "reading", progress) {
                try request.run($0)
            }
        }
    }
}
