public import SQLiteAccess

/// Checks a database file page by page, without SQLite's pager and virtual machine.
///
/// Every page must be reached once; cells and free blocks must not overlap; row IDs must ascend; every record must
/// decode and keep to its columns; the freelist and the pointer map must agree with the trees. Finds what
/// `PRAGMA quick_check` finds, in a fraction of its time. Rows of tables whose rules only SQLite knows (CHECK, STRICT,
/// WITHOUT ROWID, generated columns) are left to `quick_check` of those tables.
///
/// On request indexes are compared with their tables too, in the same walk: what `PRAGMA integrity_check` finds. The
/// entries of an index must be in their order, those of a unique one must differ, and a digest of them must be that of
/// the rows, whatever the order; so no row is looked up. Tables with partial indexes, indexes of expressions and other
/// collations than SQLite's own are left to `integrity_check` of those tables.
public struct DatabaseCheck {
    private let connection: Connection
    /// The most faults that are told.
    private let most: Int
    private let comparesIndexes: Bool
    private let isCancelled: (() -> Bool)?
    private let limits: Limits

    /// What a check does at a time. What is found does not depend on it.
    package struct Limits: Sendable {
        /// Files of so many pages are checked on two threads, where starting one pays.
        package var sharedPages = 1 << 9
        /// Pages that are read between two questions whether to go on.
        package var pagesPerQuestion = 256
        /// Bytes that a thread reads together where it asks for one page after the other.
        package var runBytes = 256 << 10
        /// Milliseconds between questions whether to go on while one thread waits for the other.
        package var patience = 50
        /// Whether a leaf is looked at cell by cell only where something may be wrong with it.
        package var takesLeavesAtOnce = true

        package init() {}
    }

    /// Prepares a check of a connection's main database.
    /// - Parameters:
    ///   - connection: without uncommitted changes; begins and ends a transaction, unless one is open.
    ///   - most: how many faults are enough.
    ///   - comparesIndexes: whether indexes are compared with their tables.
    ///   - isCancelled: asked meanwhile; if it is true, SQLite's error for an interruption is thrown.
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

    /// What is wrong with the file, a sentence each; empty if it is sound.
    ///
    /// - Throws: `SQLiteError`: errors of reading, and those that SQLite has for a file that is not a database.
    public func faults() throws(SQLiteError) -> [String] {
        let opens = !connection.isInTransaction
        if opens { try connection.execute("BEGIN") }
        defer { if opens { try? connection.execute("COMMIT") } }
        do throws(SQLiteError) {
            return try findFaults()
        } catch {
            // What SQLite cannot read of the schema is a fault of the file.
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
        // What is damaged leads to fewer rows than there are.
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
