import PersistentStores
import SQLiteAccess

/// The files of a migration: its input, the store that the user specified, and its output.
struct MigrationFiles {
    /// The database that is read: the store, or an intermediate store of its chain.
    let input: StoreFiles

    /// The store that the user specified.
    let original: StoreFiles

    let placement: MigrationPlacement

    /// The number of steps in the chain to which the migration belongs.
    let stepCount: Int

    var destinationPath: String {
        if case .output(let path) = placement { path } else { original.path }
    }

    /// Estimates the largest number of bytes that a migration writes in addition to the existing files.
    ///
    /// - Parameters:
    ///   - isIndependentOfRows: whether no row is read or written.
    ///   - rowsWait: whether rows of a new file are on disk twice for a while.
    func space(
        for method: MigrationPlan.Method, isIndependentOfRows: Bool, rowsWait: Bool
    ) -> SpaceEstimate {
        // The size of a sparse file is not limited by the disk.
        let size = min(inputSize, Self.largestStore)
        var needed: Int64
        switch method {
        case .nothing: return SpaceEstimate(0, in: folder)
        // Indexes are sorted in temporary files of about their own size; half of the store's size is a generous
        // estimate.
        case .newFile: needed = size + size / 2 + (rowsWait ? size : 0)
        case .copy: needed = isIndependentOfRows ? size + size / 10 : size * 2
        // Changed pages are written to a log or journal, and new tables exist beside the old ones. If no row changes,
        // only pages of the schema do. The contents of a log exist twice until it is checkpointed: the log of other
        // processes, the new pages, and their places in the store.
        case .original:
            let pages = isIndependentOfRows ? min(size, Self.schemaChange) : size * 2
            let isLogged = (try? DatabaseFile(path: original.path))?.usesWriteAheadLog ?? false
            needed = isLogged ? pages + pages / 2 + (FileSystem.size(original.writeAheadLog) ?? 0) : pages
        }
        // While an intermediate store is written, the one before it still exists; either may be a new file.
        if stepCount > 1, method != .nothing { needed = max(needed, size + size / 2) + size }
        if isOutput { needed += min(original.externalDataSize, Self.largestStore) }
        guard let backup = placement.backup else { return SpaceEstimate(needed, in: folder) }
        return SpaceEstimate(needed, in: folder, backup: original.totalSize, to: backup)
    }

    /// The space for copying a store that is up to date to a new path.
    var spaceOfCopy: SpaceEstimate {
        SpaceEstimate(isOutput ? inputSize + original.externalDataSize : 0, in: folder)
    }

    private var inputSize: Int64 {
        SaturatingSum.of([input.path, input.writeAheadLog].map { FileSystem.size($0) ?? 0 })
    }

    private var folder: String { FileSystem.directory(of: destinationPath) }

    /// Larger than any file system, but small enough that several can be added.
    private static let largestStore: Int64 = 1 << 59

    /// A generous estimate of the bytes for a changed schema and new bookkeeping.
    private static let schemaChange: Int64 = 4 << 20

    private var isOutput: Bool {
        if case .output = placement { true } else { false }
    }
}
