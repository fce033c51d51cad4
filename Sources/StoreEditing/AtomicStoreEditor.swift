public import PersistentStores
public import StoreConversion

/// Changes the objects of a store that is read and written as a whole, and writes it back in the same type.
///
/// The changes are made in a SQLite store in the folder for temporary files; the new file is complete before it
/// replaces the old one.
public struct AtomicStoreEditor {
    private let path: String
    private let newStore: NewStore
    private let registry: PersistentStoreRegistry
    private let options: StoreEditor.Options

    /// Prepares to edit a store.
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - newStore: the description of a new store of the same model version.
    ///   - registry: the known store types.
    ///   - options: the options of the edit.
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
    /// - Throws: `EditError` for an invalid step; `StoreError` or `ConversionError` if the store cannot be read or
    ///   written, or cannot be written back without changes. The store is unchanged in these cases.
    public func run(_ steps: [EditStep]) throws -> EditReport {
        let working = try WorkingStore(
            of: path, newStore, registry: registry, keepsFaults: true, isCancelled: options.isCancelled)
        try working.checkFaithfulness()
        var inner = options
        inner.backup = nil
        // The copy is private, so it can be changed; the caller's option applies to the store itself.
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
