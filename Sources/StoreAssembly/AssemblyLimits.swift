/// How much an assembly keeps in memory. What it makes does not depend on it: a test can make all of it as small as it
/// likes.
public struct AssemblyLimits: Sendable {
    /// Different keys that are compared with each other at a time: seven MiB.
    public var keysInMemory = 1 << 17
    /// Entries of a part of a spool that wait in memory before they go to the file, a mebibyte in all parts.
    public var entriesPerPart = 128
    /// Entries of a spool that wait until they are moved to their parts together, 48 bytes each.
    public var waitingEntries = 256
    /// Entries of a spool of keys that a thread of its own moves to their parts together, 48 bytes each in three arrays;
    /// 0 for no such thread.
    public var entriesAside = 0
    /// The same where records name objects that come later.
    public var lateEntriesAside = 1 << 12
    /// Rows of a table that are compared with what comes next, 40 bytes each.
    public var recentRows = 1 << 14
    /// Arrivals up to this one are sorted in pairs, as one number; at most 2³¹.
    public var packedArrivals: Int64 = 1 << 31
    /// Destinations of a row's ordered list that are looked through, whether one is named twice; those of longer lists are
    /// hashed.
    public var searchedLinks = 16
    /// Links of a row that are put in order before they are sorted, eight bytes each.
    public var linksInOrder = 1 << 10
    /// Pages of four KiB that are kept of what objects have of a uniqueness constraint, and as many of who has a value.
    public var constraintPages = 1 << 7
    /// Pages of four KiB that are kept of what the objects of each side of a one-to-one relationship lead to.
    public var partnerPages = 1 << 10
    /// Pages of four KiB that are kept of what the lists of objects had before each row, where not all rows say them by the
    /// same rule.
    public var listPages = 1 << 7
    /// The number of rows, with links that are found when all rows are there, that the reading thread hands over together.
    public var linkedRows = 1 << 10
    /// The number of bytes of such rows that the reading thread hands over together.
    public var linkedBytes = 1 << 18
    /// What all sorters have together, in bytes.
    public var sortMemory = 4 << 20

    /// The limits that an assembly has unless told.
    public init() {}
}
