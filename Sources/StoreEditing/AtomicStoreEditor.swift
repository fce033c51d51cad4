public import PersistentStores
public import StoreConversion

/// Changes the objects of a store that is read and written as a whole, and writes it back in its type.
///
/// The work is done in a SQLite store in the folder for temporary files; the new file is whole before it takes the old
/// one's place.
public struct AtomicStoreEditor {
    private let path: String
    private let newStore: NewStore
    private let registry: PersistentStoreRegistry
    private let options: StoreEditor.Options

    /// Prepares to edit a store.
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - newStore: what a new store of the version would be made with.
    ///   - registry: the types of stores that are known.
    ///   - options: how the edit is done.
    public init(
        path: String, _ newStore: NewStore, registry: PersistentStoreRegistry = .standard,
        options: StoreEditor.Options = .init()
    ) {
        self.path = path
        self.newStore = newStore
        self.registry = registry
        self.options = options
    }

    /// Runs the steps, as `StoreEditor.run` does.
    /// - Throws: `EditError` for a step that has no meaning; `StoreError` or `ConversionError` if the store cannot be
    ///   read or written, or would not come back as it is. Nothing was changed then.
    public func run(_ steps: [EditStep]) throws -> EditReport {
        let working = try WorkingStore(
            of: path, newStore, registry: registry, keepsFaults: true, isCancelled: options.isCancelled)
        try working.checkFaithfulness()
        var inner = options
        inner.backup = nil
        // The copy is private, so it may change; what is asked for decides about the store itself.
        inner.isDryRun = false
        inner.onCheckpoint = nil
        inner.hasOneNumbering = true
        var report = try StoreEditor(path: working.path, model: newStore.layout.model, options: inner).run(steps)
        report.store = path
        report.isDryRun = options.isDryRun
        if report.isValid, report.isChange, !options.isDryRun {
            try working.writeBack(
                newStore, backup: options.backup, keepsKeys: true, isCancelled: options.isCancelled,
                onCheckpoint: options.onCheckpoint)
        }
        return report
    }
}
