import SQLiteFileBuilder

/// The sizes of a conversion's caches and windows.
///
/// The result of a conversion does not depend on them. All limits are kept here, so that tests can set them to small
/// values. The formats of atomic stores have their own copies.
struct ConversionLimits: Sendable {
    /// The number of bytes of a binary store that are read at a time.
    var page = 32 << 10
    /// The number of such pages in memory: 8 MiB in total.
    var pages = 256
    /// The number of cached names of keys and classes of an archive; real archives have some dozens.
    var names = 4096
    /// The number of bytes that are written at a time: large enough for few system calls, and small enough for the CPU
    /// cache.
    var output = 256 << 10
    /// The number of bytes of a new file after which writing to the device begins.
    var earlyBytes: Int64 = 8 << 20
    /// The number of numbers that are read at a time when an archive's tables are written.
    var waitingNumbers = 8192
    /// The number of bytes of bits for the keys of a store's tables, with one bit for each number up to the highest
    /// key: enough for 64 million keys.
    var keyBits = 8 << 20
    /// How far the thread that reads objects may be ahead.
    var objects = ObjectQueue.Limits()
    /// KiB of SQLite's page cache for a new store. Its pages are written once, so a small cache is sufficient.
    var newPages = 8192
    /// The limits of the builder of new files.
    var build = BuildLimits()
}
