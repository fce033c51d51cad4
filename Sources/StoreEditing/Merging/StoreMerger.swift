public import PersistentStores
public import StoreConversion

/// Copies objects of one store into another of the same version: matched by key or as new ones, with objects along key
/// paths, in one transaction and by the rules of the model.
///
/// If objects are moved, they are deleted from the source after the destination has its copies on disk; if the process
/// is killed in between, both stores have them. Memory does not grow with the number of objects.
public struct StoreMerger {
    private let source: String
    private let destination: String
    private let newStore: NewStore
    private let registry: PersistentStoreRegistry
    private let options: MergeOptions
    private let editing: StoreEditor.Options

    /// Prepares to merge.
    /// - Parameters:
    ///   - source: the path of the source store.
    ///   - destination: the path of the destination store.
    ///   - newStore: the description of a new store of the common model version.
    ///   - options: which objects are copied, and how existing objects are found.
    ///   - editing: the options of edits: dry run, backup of the destination, and others.
    ///   - registry: the known store types.
    public init(
        from source: String, into destination: String, _ newStore: NewStore, options: MergeOptions,
        editing: StoreEditor.Options = .init(), registry: PersistentStoreRegistry = .standard
    ) {
        self.source = source
        self.destination = destination
        self.newStore = newStore
        self.options = options
        self.editing = editing
        self.registry = registry
    }

    /// Merges the stores.
    ///
    /// - Returns: a report of the changes; if the merge violates rules, the report contains faults, and nothing was
    ///   changed.
    /// - Throws: `MergeError`, `StoreError`, and the errors of conversions; the stores are then unchanged.
    public func run() throws -> MergeReport {
        guard StoreFiles(followingLinks: source).path != StoreFiles(followingLinks: destination).path else {
            throw MergeError.sameStore(destination)
        }
        guard try registry.isAtomic(source) else { return try merge(from: source) }
        if options.moves { throw MergeError.moveFromAtomicStore(source) }
        let working = try WorkingStore(
            of: source, newStore, registry: registry, keepsFaults: true, isCancelled: editing.isCancelled)
        var report = try merge(from: working.path)
        report.source = source
        return report
    }

    private func merge(from source: String) throws -> MergeReport {
        let idMap = try options.idMap.map { try IDMap(path: $0, replacing: options.replacesIDMap) }
        guard try registry.isAtomic(destination) else {
            return try merge(from: source, into: destination, editing, idMap)
        }
        let working = try WorkingStore(
            of: destination, newStore, registry: registry, keepsFaults: true, isCancelled: editing.isCancelled)
        try working.checkFaithfulness()
        var inner = editing
        inner.backup = nil
        inner.onCheckpoint = nil
        inner.hasOneNumbering = true
        var report = try merge(from: source, into: working.path, inner, idMap)
        report.store = destination
        guard report.isValid, !editing.isDryRun else { return report }
        if !report.inserted.isEmpty || !report.updated.isEmpty {
            try working.writeBack(
                newStore, backup: editing.backup, keepsKeys: true, isCancelled: editing.isCancelled,
                onCheckpoint: editing.onCheckpoint)
        }
        try idMap?.finish()
        return report
    }

    private func merge(
        from source: String, into destination: String, _ editing: StoreEditor.Options, _ idMap: IDMap?
    ) throws -> MergeReport {
        let work = MergeWork(from: source, into: destination, newStore.layout.model, options, editing, idMap: idMap)
        let edit = try StoreEditor(path: destination, model: newStore.layout.model, options: editing).run(work)
        var report = MergeReport(edit, source: source, store: destination, isDryRun: editing.isDryRun)
        report.skipped = work.skipped
        report.moved = work.moved
        report.linksLeftOut = work.linksLeftOut
        return report
    }
}
