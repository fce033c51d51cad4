import CommandLineParsing
import KeyedArchives
import PersistentStores
import StoreConversion
import SQLiteAccess

/// A request to print or prune persistent history.
struct HistoryRequest {
    private let path: String
    private let options: HistoryOptions
    private let filter: HistoryFilter
    private let extent: HistoryPruning.Extent?

    init(_ options: HistoryOptions) throws(UsageError) {
        path = options.operands[0]
        self.options = options
        extent = options.isPruning ? try Self.extent(options) : nil
        filter = try Self.filter(options)
        if !options.isPruning {
            for (name, isSet) in [
                ("--through", options.through != nil), ("--keep", options.keep != nil), ("--force", options.isForced),
                ("--backup", options.backup != nil), ("--dry-run", options.isDryRun),
            ] where isSet {
                throw .dependent(name, on: "--prune")
            }
        }
    }

    private static func filter(_ options: HistoryOptions) throws(UsageError) -> HistoryFilter {
        var filter = HistoryFilter()
        if let text = options.since { filter.since = try token(text, of: "--since") }
        if let text = options.after { filter.after = try date(text, of: "--after") }
        if let text = options.before { filter.before = try date(text, of: "--before") }
        filter.author = options.author
        filter.entity = options.entity
        filter.limit = options.limit > 0 ? options.limit : nil
        return filter
    }

    private static func extent(_ options: HistoryOptions) throws(UsageError) -> HistoryPruning.Extent {
        for (name, isSet) in [
            ("--since", options.since != nil), ("--after", options.after != nil), ("--author", options.author != nil),
            ("--entity", options.entity != nil), ("--limit", options.limit > 0), ("--changes", options.showsChanges),
        ] where isSet {
            throw .conflict(name, with: "--prune")
        }
        let extents = [("--before", options.before), ("--through", options.through), ("--keep", options.keep)]
            .compactMap { name, text in text.map { (name, $0) } }
        guard let (name, text) = extents.first else { throw .missing("--before, --through or --keep") }
        if extents.count > 1 { throw .conflict(name, with: extents[1].0) }
        switch name {
        case "--before": return .before(try date(text, of: name))
        case "--through": return .through(try token(text, of: name))
        default:
            guard let count = Int64(text), count >= 0 else {
                throw .badValue(text, of: name, expected: "a number of transactions")
            }
            return .keeping(count)
        }
    }

    private static func date(_ text: String, of option: String) throws(UsageError) -> Double {
        guard let moment = MomentArgument(argument: text) else {
            throw .badValue(text, of: option, expected: MomentArgument.expectation)
        }
        return moment.seconds
    }

    private static func token(_ text: String, of option: String) throws(UsageError) -> HistoryToken {
        guard let token = HistoryToken(text) else {
            throw .badValue(text, of: option, expected: "a token as \"ferry history\" prints it, UUID:NUMBER")
        }
        return token
    }

    func run(_ watch: ProgressWatch) throws -> ExitStatus {
        Cancellation.watchSignals()
        if try PersistentStoreRegistry.standard.isAtomic(path) { throw StoreError(.noHistory, path: path) }
        guard let extent else { return try list(watch) }
        var settings = HistoryPruning.Options()
        settings.isDryRun = options.isDryRun
        settings.prunesMirrored = options.isForced
        settings.backup = options.backup
        settings.isCancelled = { Cancellation.isRequested }
        settings.onCheckpoint = CrashInjection.checkpoint
        let report = try HistoryPruning(path: path, options: settings).run(extent)
        Console.print(options.isJSON ? try JSONText.text(report) : report.description)
        return .done
    }

    private func list(_ watch: ProgressWatch) throws -> ExitStatus {
        let store = try SQLiteStore(path: path)
        store.connection.onProgress(everyInstructions: 20_000) { Cancellation.isRequested }
        let history = try PersistentHistory(store)
        let printer = HistoryPrinter(isJSON: options.isJSON, showsChanges: options.showsChanges)
        printer.begin()
        var count: Int64 = 0
        let token = try history.forEach(filter) {
            count += 1
            watch.count(count, in: "ATRANSACTION")
            try printer.print($0, $1)
        }
        printer.end(token)
        return .done
    }
}
