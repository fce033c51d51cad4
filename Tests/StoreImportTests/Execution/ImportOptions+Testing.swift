import PersistentStores
import StoreAssembly
import TestSupport

@testable import RecordSources
@testable import StoreImport

extension ImportReport {
    /// Whether the objects of a new store were identified by sorting and merging.
    var isAssembled: Bool { writer == .builder && lookupReasons == [] }
}

extension ImportOptions {
    /// Limits that an assembly crosses in the middle of a batch.
    ///
    /// - Parameter size: rows of a batch, and the most that the assembly keeps in memory.
    init(assembling size: Int, _ random: inout RandomNumbers) {
        func next() -> Int { [1, 2, 3, 7, size].randomElement(using: &random) ?? 1 }
        self.init(limits: RecordBatch.Limits(rows: size))
        fixedLimits.assembly.keysInMemory = next()
        fixedLimits.assembly.entriesPerPart = next()
        fixedLimits.assembly.waitingEntries = next()
        fixedLimits.assembly.recentRows = next()
        fixedLimits.assembly.sortMemory = next() * 40
        // Batches of some records are smaller, those of others larger.
        fixedLimits.packedBytes = [0, 20, 100, 1 << 20].randomElement(using: &random) ?? 0
        fixedLimits.cachedObjects = [0, 1, 3, 20_000].randomElement(using: &random) ?? 0
        fixedLimits.assembly.entriesAside = [0, 1, 7, 1 << 12].randomElement(using: &random) ?? 0
        fixedLimits.assembly.linkedRows = next()
        fixedLimits.assembly.linkedBytes = next() * 40
        // Of SQLite's writer.
        fixedLimits.namedLinks = fixedLimits.assembly.linkedRows
    }

    /// - Parameters:
    ///   - rows: rows of a batch.
    ///   - writer: what writes a new store.
    ///   - rejects: the folder of rejected records.
    init(rows: Int, _ writer: NewStoreWriter = .auto, rejects: String? = nil) {
        self.init(limits: RecordBatch.Limits(rows: rows))
        self.writer = writer
        rejectsDirectory = rejects
    }
}
