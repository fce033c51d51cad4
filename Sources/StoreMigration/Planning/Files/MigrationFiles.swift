import PersistentStores
import SQLiteAccess

/// The files of a migration: what it reads, what the user named, and where the result goes.
struct MigrationFiles {
    /// The database that is read: the store, or an intermediate of its chain.
    let input: StoreFiles

    /// The store that the user named.
    let original: StoreFiles

    let placement: MigrationPlacement

    /// The steps of the chain that the migration belongs to.
    let stepCount: Int

    var destinationPath: String {
        if case .output(let path) = placement { path } else { original.path }
    }

    /// The bytes that a migration writes at the most, beside those that are there.
    ///
    /// - Parameter isIndependentOfRows: whether no row is read or written.
    func space(for method: MigrationPlan.Method, isIndependentOfRows: Bool) -> SpaceEstimate {
        // A file with holes may say any size.
        let size = min(inputSize, Self.largestStore)
        var needed: Int64
        switch method {
        case .nothing: return SpaceEstimate(0, in: folder)
        // Indexes are sorted in temporary files of about their own size; half of the store is a generous guess.
        case .newFile: needed = size + size / 2
        case .copy: needed = isIndependentOfRows ? size + size / 10 : size * 2
        // The pages that change go into a log or journal, and new tables stand beside the old ones. Where no row
        // changes, the pages of the schema do. What a log holds is there twice until it is folded in: what others have
        // written to it, the new pages, and the place that they take in the store.
        case .original:
            let pages = isIndependentOfRows ? min(size, Self.schemaChange) : size * 2
            let isLogged = (try? DatabaseFile(path: original.path))?.usesWriteAheadLog ?? false
            needed = isLogged ? pages + pages / 2 + (FileSystem.size(original.writeAheadLog) ?? 0) : pages
        }
        // While a store in between is written, the one before it is there too; any of them may be a new file.
        if stepCount > 1, method != .nothing { needed = max(needed, size + size / 2) + size }
        if isOutput { needed += min(original.externalDataSize, Self.largestStore) }
        guard let backup = placement.backup else { return SpaceEstimate(needed, in: folder) }
        return SpaceEstimate(needed, in: folder, backup: original.totalSize, to: backup)
    }

    /// A store that is up to date is copied where it goes to a new path.
    var spaceOfCopy: SpaceEstimate {
        SpaceEstimate(isOutput ? inputSize + original.externalDataSize : 0, in: folder)
    }

    private var inputSize: Int64 {
        SaturatingSum.of([input.path, input.writeAheadLog].map { FileSystem.size($0) ?? 0 })
    }

    private var folder: String { FileSystem.directory(of: destinationPath) }

    /// Larger than any file system; several of it can be added up.
    private static let largestStore: Int64 = 1 << 59

    /// Bytes for a changed schema and new bookkeeping, generously.
    private static let schemaChange: Int64 = 4 << 20

    private var isOutput: Bool {
        if case .output = placement { true } else { false }
    }
}
