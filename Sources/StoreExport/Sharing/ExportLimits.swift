import StoreFetching

/// How many objects threads share, and how much waits between them. What is written does not depend on it.
struct ExportLimits: Sendable {
    /// Blocks of what is written.
    var output = FetchLimits()
    /// Primary keys that a table must span to be read by several threads: for fewer they take longer to begin.
    var sharedKeys: Int64 = 20_000
    /// Objects that a thread takes at a time: some blocks of output.
    var windowRows = 2048
    /// Primary keys that a window spans at the most for each of them.
    var keysPerRow: Int64 = 16
    /// Blocks of output that a thread may be ahead: those of more than one window, so that it reads on while another
    /// one's are written.
    var waitingBlocks = 12
    /// How long rows are written before all are counted, for those who watch.
    var countingDelay = Duration.seconds(1)
    /// Whether rows are read from pages where SQL has nothing to compute, instead of by SQLite.
    var readsPages = true
    /// Threads at the most: the one that writes the file is busy with four.
    var readers = 4
    /// The processors that there are; nil to ask the system, which reads files.
    var processors: Int?
}
