/// The sizes of a spool's blocks, and of the pieces in which they are written.
struct SpoolLimits: Sendable {
    /// The largest number of bytes in a block's content: more than a batch has, unless its records are very large.
    var blockContent = 1 << 31
    /// The number of bytes that are written at a time.
    var writtenBytes = 1 << 20
    /// The number of bytes from which on content is written directly, because a system call is faster than copying it.
    var copiedBytes = 32 << 10
    /// The number of hashes that are sorted together, eight bytes each, twice.
    var keysOfRun = 1 << 18
    /// The number of hashes of a run that are read at a time, eight bytes each, twice for each run.
    var keysOfBlock = 1 << 11
    /// The largest number of runs whose hashes are compared; if there are more, the keys themselves are compared in the
    /// assembly.
    var comparedRuns = 256
    /// The largest number of hashes with the same first bits that are compared; if there are more, the keys themselves
    /// are compared in the assembly.
    var comparedHashes = 64
}
