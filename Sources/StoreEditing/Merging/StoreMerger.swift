public import PersistentStores
public import StoreConversion

/// Copies objects of one store into another of the same version: by key or as new ones, with the objects that are
/// followed, in one transaction and by the rules of the model.
///
/// What is deleted from the source, where objects are moved, goes after the destination has its copies on disk: whoever
/// stops in between finds them in both. Memory does not grow with the number of objects.
public struct StoreMerger {
    private let source: String
    private let destination: String
    private let newStore: NewStore
    private let registry: PersistentStoreRegistry
    private let options: MergeOptions
    private let editing: StoreEditor.Options

    /// Prepares to merge.
    /// - Parameters:
    ///   - source: the path of the store that objects are copied from.
    ///   - destination: the path of the store that they are copied into.
    ///   - newStore: what a new store of the version of both would be made with.
    ///   - options: which objects are copied, and how those that are there are found.
    ///   - editing: dry run, backup of the destination, and what else edits have.
    ///   - registry: the types of stores that are known.
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
    /// - Returns: what was done; a report with faults where the merge breaks rules, and then nothing was changed.
    /// - Throws: `MergeError`, `StoreError`, and what a conversion throws; nothing was changed.
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
