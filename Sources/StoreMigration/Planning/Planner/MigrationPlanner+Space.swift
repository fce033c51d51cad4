import PersistentStores
import SQLiteAccess

extension MigrationPlanner {
    /// The bytes that a migration writes at the most, beside those that are there.
    func space(for method: MigrationPlan.Method, isIndependentOfRows: Bool) -> SpaceEstimate {
        let files = original
        // A file with holes may say any size.
        let size = min(storeSize, Self.largestStore)
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
            let isLogged = (try? DatabaseFile(path: files.path))?.usesWriteAheadLog ?? false
            needed = isLogged ? pages + pages / 2 + (FileSystem.size(files.writeAheadLog) ?? 0) : pages
        }
        // While a store in between is written, the one before it is there too; any of them may be a new file.
        if options.stepCount > 1, method != .nothing { needed = max(needed, size + size / 2) + size }
        if isOutput { needed += min(files.externalDataSize, Self.largestStore) }
        guard let backup = options.placement.backup else { return SpaceEstimate(needed, in: folder) }
        return SpaceEstimate(needed, in: folder, backup: files.totalSize, to: backup)
    }

    /// A store that is up to date is copied where it goes to a new path.
    var spaceOfCopy: SpaceEstimate {
        SpaceEstimate(isOutput ? storeSize + original.externalDataSize : 0, in: folder)
    }

    private var storeSize: Int64 {
        SaturatingSum.of([store.files.path, store.files.writeAheadLog].map { FileSystem.size($0) ?? 0 })
    }

    private var folder: String { FileSystem.directory(of: destinationPath) }

    /// Larger than any file system; several of it can be added up.
    private static let largestStore: Int64 = 1 << 59

    /// Bytes for a changed schema and new bookkeeping, generously.
    private static let schemaChange: Int64 = 4 << 20

    private var isOutput: Bool {
        if case .output = options.placement { true } else { false }
    }
}
