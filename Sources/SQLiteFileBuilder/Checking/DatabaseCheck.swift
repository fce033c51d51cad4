public import SQLiteAccess

/// Checks a database file page by page, without SQLite's pager and virtual machine.
///
/// Each page must be reached exactly once, cells and free blocks must not overlap, row IDs must ascend, each record
/// must be well-formed and fit its columns, and the freelist and the pointer map must agree with the trees. The check
/// finds the faults that `PRAGMA quick_check` finds, in a fraction of the time. Tables whose rows follow rules that
/// only SQLite knows (CHECK, STRICT, WITHOUT ROWID, generated columns) are left to `quick_check`.
///
/// On request, the same pass also compares the indexes with their tables, and finds the faults that `PRAGMA
/// integrity_check` finds. The entries of an index must be in order, and those of a unique index must differ. A digest
/// of the entries, which does not depend on their order, must equal the digest of the rows; so no row needs to be
/// looked up. Tables with partial indexes, indexes on expressions, or collations that are not built into SQLite are
/// left to `integrity_check`.
public struct DatabaseCheck {
    private let connection: Connection
    /// The largest number of faults that are reported.
    private let most: Int
    private let comparesIndexes: Bool
    private let isCancelled: (() -> Bool)?
    private let limits: Limits

    /// How much a check processes at a time. The faults that it finds do not depend on these limits.
    package struct Limits: Sendable {
        /// Files with at least this many pages are checked on two threads; for smaller files, starting a thread takes
        /// too long.
        package var sharedPages = 1 << 9
        /// The number of pages that are read between two checks for cancellation.
        package var pagesPerQuestion = 256
        /// The bytes that a thread reads together if it requests one page after the other.
        package var runBytes = 256 << 10
        /// Milliseconds between two checks for cancellation while one thread waits for the other.
        package var patience = 50
        /// Whether leaves are first checked as a whole, and cell by cell only if that finds a possible fault.
        package var takesLeavesAtOnce = true

        package init() {}
    }

    /// Prepares a check of a connection's main database.
    /// - Parameters:
    ///   - connection: a connection without uncommitted changes. The check begins and ends a transaction, unless one is
    ///     open.
    ///   - most: the number of faults after which the check stops.
    ///   - comparesIndexes: whether indexes are compared with their tables.
    ///   - isCancelled: called repeatedly during the check; if it returns true, the check throws SQLite's interruption
    ///     error.
    public init(
        _ connection: Connection, most: Int = 5, comparesIndexes: Bool = false, isCancelled: (() -> Bool)? = nil
    ) {
        self.init(
            connection, most: most, comparesIndexes: comparesIndexes, limits: Limits(), isCancelled: isCancelled)
    }

    package init(
        _ connection: Connection, most: Int, comparesIndexes: Bool = false, limits: Limits,
        isCancelled: (() -> Bool)? = nil
    ) {
        self.connection = connection
        self.most = most
        self.comparesIndexes = comparesIndexes
        self.isCancelled = isCancelled
        self.limits = limits
    }

    /// Returns the faults of the file, one sentence each; an empty array if the file is sound.
    ///
    /// - Throws: `SQLiteError` if the file cannot be read or is not a database.
    public func faults() throws(SQLiteError) -> [String] {
        let opens = !connection.isInTransaction
        if opens { try connection.execute("BEGIN") }
        defer { if opens { try? connection.execute("COMMIT") } }
        do throws(SQLiteError) {
            return try findFaults()
        } catch {
            // If SQLite cannot read part of the schema, this is a fault of the file.
            guard error.isCorrupt else { throw error }
            return [error.message]
        }
    }

    private func walk(_ trees: [TreeShape], _ pages: CheckedPages) throws(SQLiteError) -> PageCheck {
        if pages.pageCount >= limits.sharedPages,
            let check = try SharedCheck(pages: pages, limits: limits, most: most, isCancelled: isCancelled)
                .walk(trees)
        {
            return check
        }
        let check = PageCheck(pages, most: most, limits, isCancelled: isCancelled)
        try check.checkTrees(trees)
        return check
    }

    private func findFaults() throws(SQLiteError) -> [String] {
        let pages = CheckedPages(try PageReader(connection), runBytes: limits.runBytes)
        var shapes = TreeShapes()
        try shapes.read(connection, comparesIndexes: comparesIndexes)
        let check = try walk(shapes.trees, pages)
        if check.faults.count < most { try check.checkRest() }
        // A damaged page leads to fewer rows than exist, so the digests are only compared if there are no faults.
        if check.faults.isEmpty { check.checkDigests(of: shapes.trees) }
        var faults = check.faults
        let pragma = comparesIndexes ? "integrity_check" : "quick_check"
        for table in shapes.checkedBySQLite + check.uncompared.sorted() where faults.count < most {
            connection.onProgress(everyInstructions: 100_000, isCancelled)
            defer { connection.onProgress(everyInstructions: 0, nil) }
            let name = SQLiteLiteral.string(table)
            let answer = try connection.rows("PRAGMA main.\(pragma)(\(name))").compactMap { $0[0].string }
            if answer != ["ok"] { faults += answer.prefix(most - faults.count) }
        }
        return faults
    }
}
