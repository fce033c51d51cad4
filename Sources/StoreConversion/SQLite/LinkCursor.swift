import SQLiteAccess

/// The links of one relationship, sorted by owner: read in step with the owners, so that no list of them is ever held.
final class LinkCursor {
    private let statement: Statement
    private let keys: KeyBits?
    // Accesses are not checked for overlaps at run time: they come with every row, on one thread.
    @exclusivity(unchecked) private var isDone = false
    @exclusivity(unchecked) private var isOnRow = false

    /// Links without an owner, or without a destination, that were skipped.
    private(set) var danglingCount: Int64 = 0
    /// Owners or destinations of some of them.
    private(set) var danglingKeys: [Int64] = []

    /// - Parameters:
    ///   - statement: its columns are owner, destination, and whether the destination is there.
    ///   - keys: those of the destinations that are there; nil if the statement's last column says it.
    init(_ statement: Statement, keys: KeyBits?) {
        self.statement = statement
        self.keys = keys
    }

    /// Appends the destinations of an owner, whose key is above all that were asked for before.
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

    /// Passes over what is left: links of owners that are not there.
    func finish() throws(SQLiteError) {
        while try advance() {
            isOnRow = false
            noteDangling(statement.integer(0))
        }
    }

    /// Whether the owner is a number without a fraction: other values are read as numbers too.
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
