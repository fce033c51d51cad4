/// The sizes of a builder's buffers and runs: how much it keeps in memory, and how much it reads or writes at a time.
///
/// The contents of the file do not depend on them. All limits are kept here, so that tests can set them to small
/// values.
public struct BuildLimits: Sendable {
    /// The bytes of index entries that are kept in memory. More entries are sorted in parts on disk, in unnamed files
    /// beside the new file. The default is 6 MiB, with which a file of millions of rows takes little more memory than a
    /// small one.
    package var sortMemory = 6 << 20
    /// The approximate number of integer entries in a run. A run of this size and its scratch memory fit into a core's
    /// cache.
    package var integerRun = 1 << 16
    /// The number of rows whose integers are passed to the indexes together.
    package var integerBlock = 512
    /// The number of integer entries, of 16 bytes each, that are written to a run at a time.
    package var integersPerWrite = 1 << 12
    /// The number of runs of integers that are merged at a time; at least two.
    package var mergedIntegerRuns = 64
    /// How much of each run of integers is read at a time, in units of 48 bytes, which hold a whole number of entries
    /// of every size.
    package var integerPiece = 1 << 10
    /// The number of integer entries that the merging thread passes on together: half a mebibyte. On a busy machine,
    /// waking a thread takes as long as processing thousands of entries.
    package var mergedBlock = 1 << 15
    /// The number of blocks of merged entries: one is in use, one waits and one is being filled.
    package var circulatingBlocks = 3

    /// The bytes of memory that a block of rows keeps for the rows that follow. A single row can have a gigabyte.
    package var keptRowBytes = 1 << 20
    /// The bytes of records that are written to a run at a time.
    package var recordsPerWrite = 1 << 18
    /// The number of runs of records that are merged at a time; at least two. The default needs 4 MiB of buffers.
    package var mergedRecordRuns = 32
    /// The bytes of each run of records that are read at a time.
    package var recordPiece = 1 << 17

    /// The bytes of pages that another thread writes at a time; at least one page.
    package var pagesPerWrite = 1 << 19
    /// The number of such pieces that are being written or wait, in addition to the one that is being filled. With more
    /// than one, a short delay in one thread does not stop the other.
    package var waitingWrites = 2
    /// The number of pointer map pages in memory. With pages of 4096 bytes, the default covers 50 MiB of the file.
    package var mapPages = 16

    /// The number of earlier keys in a block, for rows that were given new keys. The first key of each block is kept in
    /// memory for every table.
    package var rankedKeys = 1 << 9
    /// The number of blocks of earlier keys in memory, 4 KiB each.
    package var rankBlocks = 128

    /// Creates the default limits.
    public init() {}
}
