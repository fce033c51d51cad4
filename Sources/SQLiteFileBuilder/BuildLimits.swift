/// The sizes of a builder's buffers and runs: how much it keeps in memory, and how much it reads or writes at once.
///
/// What is built must not depend on them. All of them stand here, so that a test can make them as small as it likes.
public struct BuildLimits: Sendable {
    /// Bytes of index entries that are kept in memory; more are sorted in parts on disk, in files without names beside
    /// the new one. 6 MiB: a file of millions of rows takes hardly more memory than a small one.
    package var sortMemory = 6 << 20
    /// Integer entries of a run, about: with what they are sorted in, they fit into a core's cache.
    package var integerRun = 1 << 16
    /// Rows whose integers are handed to the indexes together.
    package var integerBlock = 512
    /// Integer entries that are written to a run at once, 16 bytes each.
    package var integersPerWrite = 1 << 12
    /// Runs of integers that are merged at a time; at least two.
    package var mergedIntegerRuns = 64
    /// What is read at once of each run of integers, in units of 48 bytes: those are whole entries of every size.
    package var integerPiece = 1 << 10
    /// Integer entries that the merging thread hands over together, half a mebibyte: on a busy machine being woken
    /// takes as long as thousands of them.
    package var mergedBlock = 1 << 15
    /// Blocks of merged entries: one is used, one waits, one is filled.
    package var circulatingBlocks = 3

    /// What a block of rows keeps for the next ones, in bytes; a row can have a gigabyte.
    package var keptRowBytes = 1 << 20
    /// Bytes of records that are written to a run at once.
    package var recordsPerWrite = 1 << 18
    /// Runs of records that are merged at a time; at least two. With a buffer each they need 4 MiB.
    package var mergedRecordRuns = 32
    /// Bytes that are read at once of each run of records.
    package var recordPiece = 1 << 17

    /// Bytes of pages that are written at once, by another thread; one page at least.
    package var pagesPerWrite = 1 << 19
    /// Such pieces that are written or wait, beside the one that is filled: whoever is late for a moment stops no
    /// other.
    package var waitingWrites = 2
    /// Map pages in memory: at 4096 bytes a page they cover 50 MiB of the file.
    package var mapPages = 16

    /// Keys of a block, of those that rows had before they got new ones: the first of each is kept in memory, for every
    /// table.
    package var rankedKeys = 1 << 9
    /// Blocks of such keys in memory, 4 KiB each.
    package var rankBlocks = 128

    /// The limits that a builder has unless told.
    public init() {}
}
