import ExternalPrograms
import PersistentStores
import SQLiteFileBuilder

/// The sizes of a migration's caches and windows, beside its batches.
///
/// What a migration does must not depend on them. All of them stand here, so that a test can make them as small as it
/// likes.
struct MigrationLimits: Sendable {
    /// A block of rows that one thread hands to another: enough that handing it over costs nothing, few enough that
    /// several are little memory.
    var block = BatchLimits(rows: 2000, bytes: 256 << 10)
    /// Blocks of a reading thread: one is appended, one waits, one is filled.
    var circulatingBlocks = 3
    /// Below so many windows of keys, threads and their connections cost more than they save.
    var windowsWorthThreads: Int64 = 8
    /// How many keys a window spans at the most for each row that it may have.
    var keysPerRow: Int64 = 16
    /// KiB of pages that SQLite keeps while it writes a new file. Rows and indexes grow at their ends, so that more
    /// saves nothing; SQLite also sorts indexes in pieces of that size, and larger ones were slower when measured.
    var newPages = 4096
    /// KiB of pages that SQLite keeps while it changes the store's own file.
    var changedPages = 16384
    /// Keys of objects that several sources make, of which further sources are not sorted: as many as these, of so many
    /// bytes.
    var knownKeys = 1 << 14
    var knownKeyBytes = 1 << 20
    /// What the builder of new files keeps.
    var build = BuildLimits()

    /// Records that a program as a policy gets at once: it holds them in memory, so fewer than SQLite would take.
    var policyBatch = BatchLimits(rows: 1000, bytes: 1 << 20)
    /// Batches that a program may have at once, if it says that it takes more than one: enough that it works while
    /// answers are read, and records are written while it works.
    var policyWindow = 4
    /// How much is read at once of what such a program says; a line of it is in memory as a whole.
    var answers = DialogLimits()
    /// Runs of keys of the objects that a policy has made, which are remembered so that their pairs need not be read.
    var madeKeyRuns = 1 << 12
    /// Pairs of source and destination objects that one statement notes. A statement has its cost however few rows it
    /// has; beyond this it is little, and parameters are not without limit.
    var pairsPerStatement = 64

    /// Bytes of a value that moves from a file of its own into a row. It is in memory as a whole, here and in every app
    /// that fetches the object; SQLite's own limit is four times as much.
    var inlineValue: Int64 = 256 << 20
    /// Results up to this size are read whole by `quick_check`, which took 50 ms for 18 MB when measured: less than a
    /// fifth of a second. Above it, only on request: every page that a migration rewrote was read on the way, and one
    /// that it copied is what it was.
    var checkedFile: Int64 = 64 << 20

    /// Whether threads save more than they cost where they read a range of keys in windows of some rows.
    func areWorthThreads(_ keys: ClosedRange<Int64>, rows: Int) -> Bool {
        let (span, overflow) = keys.upperBound.subtractingReportingOverflow(keys.lowerBound)
        return overflow || span / Int64(rows) >= windowsWorthThreads
    }
}
