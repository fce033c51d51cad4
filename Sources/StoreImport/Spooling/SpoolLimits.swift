/// The sizes of a spool's blocks, and of what is written of them at a time.
struct SpoolLimits: Sendable {
    /// The most bytes of a block's content: more than a batch has, unless its records are very large.
    var blockContent = 1 << 31
    /// As many bytes go to the system at a time.
    var writtenBytes = 1 << 20
    /// Content of as many bytes goes to the system by itself: a call costs less than a copy of it.
    var copiedBytes = 32 << 10
    /// Hashes of keys that are put in order together, eight bytes each, twice.
    var keysOfRun = 1 << 18
    /// Hashes of a run that are read at a time, eight bytes each, twice for each run.
    var keysOfBlock = 1 << 11
    /// The most runs of keys whose hashes are compared; of more, an assembly compares the keys themselves.
    var comparedRuns = 256
    /// The most hashes with the same first bits that are compared; of more, an assembly compares the keys themselves.
    var comparedHashes = 64
}
