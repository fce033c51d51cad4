import StoreFetching

/// How many objects threads share, and how much may wait between them. The output does not depend on it.
struct ExportLimits: Sendable {
    /// The sizes of output blocks.
    var output = FetchLimits()
    /// The range of primary keys from which on several threads read a table; for fewer keys, starting threads takes too
    /// long.
    var sharedKeys: Int64 = 20_000
    /// The number of objects that a thread takes at a time, which is enough for some blocks of output.
    var windowRows = 2048
    /// The largest range of primary keys in a window, for each object of the window.
    var keysPerRow: Int64 = 16
    /// The number of output blocks by which a thread may be ahead: more than one window, so that it can continue while
    /// the blocks of another thread are written.
    var waitingBlocks = 12
    /// The time after which the objects are counted, so that short exports need no count.
    var countingDelay = Duration.seconds(1)
    /// Whether rows are read from pages instead of by SQLite if SQL has nothing to compute.
    var readsPages = true
    /// The largest number of threads; four keep the thread that writes the file busy.
    var readers = 4
    /// The number of processors; nil to ask the system, which reads files.
    var processors: Int?
}
