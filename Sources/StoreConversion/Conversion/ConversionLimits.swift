import SQLiteFileBuilder

/// The sizes of a conversion's caches and windows.
///
/// What a conversion does must not depend on them. All of them stand here, so that a test can make them as small as it
/// likes; the formats of atomic stores have their own copy.
struct ConversionLimits: Sendable {
    /// Bytes that are read at once of a binary store.
    var page = 32 << 10
    /// Such pages that are kept: 8 MiB in all.
    var pages = 256
    /// Names of keys and classes of an archive that are kept; real archives have some dozens.
    var names = 4096
    /// Bytes that are written at once: large enough that a call costs nothing, small enough for the cache.
    var output = 256 << 10
    /// Bytes of a new file that are sent to the device at once while it is written.
    var earlyBytes: Int64 = 8 << 20
    /// Numbers that are read at once of those that wait on disk for the end of an archive.
    var waitingNumbers = 8192
    /// Bytes of bits for the keys of a store's tables, one for each number up to the highest key: enough for 64 million.
    /// As many for the keys of a store with one numbering that get new ones.
    var keyBits = 8 << 20
    /// What the thread that reads objects is ahead by.
    var objects = ObjectQueue.Limits()
    /// KiB of pages that SQLite keeps while it writes a new store: they are written once, so a small cache will do.
    var newPages = 8192
    /// What the builder of new files keeps.
    var build = BuildLimits()
}
