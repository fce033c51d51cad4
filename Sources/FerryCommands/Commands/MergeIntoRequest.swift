import CommandLineParsing
import PersistentStores
import StoreConversion
import StoreEditing
import StoreMigration

/// A request to merge stores, whose options have been checked against each other.
struct MergeIntoRequest {
    private let options: MergeIntoOptions
    private var merge: MergeOptions

    init(_ options: MergeIntoOptions) throws {
        self.options = options
        merge = MergeOptions(entity: options.entity)
        if let text = options.predicate {
            _ = try FormatArgument.predicate(text, of: "--where")
            merge.predicate = text
        }
        merge.followedPaths = options.followed.flatMap { $0.split(separator: ",").map(String.init) }
        merge.cascades = options.cascades
        merge.moves = options.moves
        merge.onMatch = options.onMatch
        merge.idMap = options.idMap
        merge.replacesIDMap = options.isForced
        for key in options.keys { try Self.add(key, to: &merge) }
        if options.isForced, options.idMap == nil { throw UsageError.dependent("--force", on: "--id-map") }
        try CommandOutput.checkIsPath(options.idMap, "a table of keys", of: "--id-map")
        if let path = options.idMap { try CommandOutput.check(path, isReplacing: options.isForced) }
    }

    /// Adds an option `ATTRIBUTE,...` or `ENTITY:ATTRIBUTE,...`.
    private static func add(_ text: String, to merge: inout MergeOptions) throws(UsageError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let names = (parts.last ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, !names.contains(""), parts.first != "" else {
            throw .badValue(text, of: "--key", expected: "ATTRIBUTE,... or ENTITY:ATTRIBUTE,...")
        }
        let entity = parts.count == 2 ? parts[0] : merge.entity
        guard merge.keys.updateValue(names, forKey: entity) == nil else {
            throw .badValue(text, of: "--key", expected: "one key for \(entity)")
        }
    }

    func run(_ watch: ProgressWatch) throws -> ExitStatus {
        Cancellation.watchSignals()
        let (source, destination) = (options.operands[0], options.operands[1])
        let catalog = try VersionCatalog(
            paths: options.models.isEmpty ? [destination] : options.models, sources: options.sources.selection)
        let version = try version(of: destination, catalog)
        let other = try self.version(of: source, catalog)
        guard version.hashes == other.hashes else {
            throw MergeError.otherVersion(source, source: other.name, destination: version.name)
        }
        var editing = StoreEditor.Options()
        editing.isDryRun = options.isDryRun
        editing.backup = options.backup
        editing.exampleLimit = options.limit
        editing.isCancelled = { Cancellation.isRequested }
        editing.onCheckpoint = watch.checkpoint
        let report = try StoreMerger(
            from: source, into: destination, version.newStore, options: merge, editing: editing
        ).run()
        Console.print(options.isJSON ? try JSONText.text(report) : report.description)
        guard report.isValid else { return .failed }
        return report.linksLeftOut.isEmpty ? .done : .findings
    }

    private func version(of path: String, _ catalog: VersionCatalog) throws -> VersionedModel {
        if try PersistentStoreRegistry.standard.isAtomic(path) {
            return try catalog.sourceVersion(
                of: PersistentStoreRegistry.standard.metadata(at: path), at: path, named: options.version,
                configuration: options.configuration)
        }
        return try catalog.sourceVersion(
            of: SQLiteStore(path: path), named: options.version, configuration: options.configuration)
    }
}
