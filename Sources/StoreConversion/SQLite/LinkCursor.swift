import SQLiteAccess

/// The links of one relationship, sorted by owner and read in step with the owners, so that no list is ever in memory.
final class LinkCursor {
    private let statement: Statement
    private let keys: KeyBits?
    // Accesses are not checked for overlaps at run time, because they occur for every row, on one thread.
    @exclusivity(unchecked) private var isDone = false
    @exclusivity(unchecked) private var isOnRow = false

    /// The number of skipped links whose owner or destination does not exist.
    private(set) var danglingCount: Int64 = 0
    /// The keys of some of these owners or destinations.
    private(set) var danglingKeys: [Int64] = []

    /// - Parameters:
    ///   - statement: a statement whose columns are the owner, the destination, and whether the destination exists.
    ///   - keys: the keys of existing destinations; nil if the statement's last column is used.
    init(_ statement: Statement, keys: KeyBits?) {
        self.statement = statement
        self.keys = keys
    }

    /// Appends the destinations of an owner; owners must be requested in ascending order of their keys.
    func appendLinks(of owner: Int64, to object: inout StoredObject) throws(SQLiteError) {
        while try advance() {
            let current = statement.integer(0)
            if current > owner { return }
            isOnRow = false
            if current == owner, isOwnerNumber, keys?.contains(statement, 1) ?? (statement.integer(2) != 0) {
                object.appendLink(statement.integer(1))
            } else {
                noteDangling(current)
            }
        }
    }

    /// Skips the remaining links, whose owners do not exist.
    func finish() throws(SQLiteError) {
        while try advance() {
            isOnRow = false
            noteDangling(statement.integer(0))
        }
    }

    /// Whether the owner is an integer; other values can be read as numbers too.
    private var isOwnerNumber: Bool {
        switch statement.storageClass(0) {
        case .integer: true
        case .real: Int64(exactly: statement.real(0)) != nil
        case .text, .blob, .null: false
        }
    }

    private func advance() throws(SQLiteError) -> Bool {
        if isOnRow { return true }
        if isDone { return false }
        isOnRow = try statement.step()
        isDone = !isOnRow
        return isOnRow
    }

    private func noteDangling(_ key: Int64) {
        danglingCount += 1
        if danglingKeys.count < 3 { danglingKeys.append(key) }
    }
}
