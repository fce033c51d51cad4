import ExternalPrograms
import PersistentStores
import SQLiteFileBuilder

/// The sizes of a migration's caches and windows. Batches have their own limits in `MigrationOptions`.
///
/// The result of a migration must not depend on these limits. They are all in one type, so that tests can make them
/// small.
struct MigrationLimits: Sendable {
    /// The size of a block of rows that one thread passes to another: large enough that passing it costs almost
    /// nothing, and small enough that several blocks take little memory.
    var block = BatchLimits(rows: 2000, bytes: 256 << 10)
    /// The number of blocks of a reading thread: one is being appended, one waits, and one is being filled.
    var circulatingBlocks = 3
    /// The number of windows of keys below which threads and their connections cost more time than they save.
    var windowsWorthThreads: Int64 = 8
    /// The maximum number of keys that a window spans for each row that it may have.
    var keysPerRow: Int64 = 16
    /// The size of SQLite's page cache while it writes a new file, in KiB. Rows and indexes grow at their ends, so a
    /// larger cache saves nothing. SQLite also sorts indexes in pieces of this size, and larger pieces were slower when
    /// measured.
    var newPages = 4096
    /// The size of SQLite's page cache while it changes the store itself, in KiB.
    var changedPages = 16384
    /// The maximum number of remembered keys of objects that are created from several sources, and their maximum size
    /// in bytes. Further sources with these keys are not sorted.
    var knownKeys = 1 << 14
    var knownKeyBytes = 1 << 20
    /// The limits of the builder of new files.
    var build = BuildLimits()

    /// The maximum size of a batch of records for a policy that is a program. The program keeps the batch in memory, so
    /// it is smaller than a batch for SQLite.
    var policyBatch = BatchLimits(rows: 1000, bytes: 1 << 20)
    /// The maximum number of batches that a program may have at once, if it accepts more than one. It is large enough
    /// that the program works while its answers are read, and that records are written while the program works.
    var policyWindow = 4
    /// The sizes in which the answers of such a program are read. A line is always in memory as a whole.
    var answers = DialogLimits()
    /// The maximum number of remembered runs of keys of the objects that a policy has created. If all runs are
    /// remembered, the pairs of objects and sources need not be read.
    var madeKeyRuns = 1 << 12
    /// The number of pairs of source and destination objects that one statement inserts. Every statement has a fixed
    /// cost, but with this many rows it hardly matters, and the number of parameters is limited.
    var pairsPerStatement = 64

    /// The maximum size in bytes of an external value that becomes inline. Such a value is in memory as a whole, here
    /// and in every app that fetches the object. SQLite's own limit is four times as large.
    var inlineValue: Int64 = 256 << 20
    /// The maximum size in bytes of a result whose pages are always checked. `quick_check` took 50 ms for 18 MB when
    /// measured, so this size takes less than a fifth of a second. Larger results are only checked on request: every
    /// page that a migration has rewritten was read in the process, and the copied pages are unchanged.
    var checkedFile: Int64 = 64 << 20

    /// Returns whether threads save more time than they cost if a range of keys is read in windows of some rows.
    func areWorthThreads(_ keys: ClosedRange<Int64>, rows: Int) -> Bool {
        let (span, overflow) = keys.upperBound.subtractingReportingOverflow(keys.lowerBound)
        return overflow || span / Int64(rows) >= windowsWorthThreads
    }
}
