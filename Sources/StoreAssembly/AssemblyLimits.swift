/// The limits of an assembly's memory. Its result does not depend on them, so tests can set all of them to small
/// numbers.
public struct AssemblyLimits: Sendable {
    /// The number of different keys that are compared with each other at a time. They take 7 MiB.
    public var keysInMemory = 1 << 17
    /// The number of entries of a part of a spool that wait in memory before they are written to the file. Those of all
    /// parts take 1 MiB.
    public var entriesPerPart = 128
    /// The number of entries of a spool that wait until they are moved to their parts together, 48 bytes each.
    public var waitingEntries = 256
    /// The number of entries of a spool of keys that a separate thread moves to their parts together, 48 bytes each in
    /// three arrays; 0 for no such thread.
    public var entriesAside = 1 << 10
    /// The number of recent rows of a table with which new rows are compared, 40 bytes each.
    public var recentRows = 1 << 14
    /// The bound below which arrivals are sorted in pairs, as one number; at most 2³¹.
    public var packedArrivals: Int64 = 1 << 31
    /// The number of destinations in a row's ordered list that are searched for duplicates one by one. Longer lists use
    /// a hash table.
    public var searchedLinks = 16
    /// The number of links of a row that are sorted in memory before they are added to a sorter, 8 bytes each.
    public var linksInOrder = 1 << 10
    /// The number of pages of 4 KiB in memory for the values of uniqueness constraints by object. As many pages are
    /// used for the objects by value.
    public var constraintPages = 1 << 7
    /// The number of pages of 4 KiB in memory for the destinations of the objects of each side of a one-to-one
    /// relationship.
    public var partnerPages = 1 << 10
    /// The number of pages of 4 KiB in memory for the links of lists before each row, if rows have different rules for
    /// their lists.
    public var listPages = 1 << 7
    /// The number of rows, with links that are found after all rows have been added, that a reading thread hands over
    /// together, and the number of these links that it reads together.
    public var linkedRows = 1 << 11
    /// The number of bytes of such rows that a reading thread hands over together.
    public var linkedBytes = 1 << 18
    /// The number of bytes of memory that all sorters share.
    public var sortMemory = 4 << 20

    /// Creates the default limits.
    public init() {}
}
