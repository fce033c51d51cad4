import SQLiteAccess

/// The links of one relationship, sorted by owner: read in step with the owners, so that no list of them is ever held.
final class LinkCursor {
    private let statement: Statement
    // Accesses are not checked for overlaps at run time: they come with every row, on one thread.
    @exclusivity(unchecked) private var isDone = false
    @exclusivity(unchecked) private var isOnRow = false

    /// Links without an owner, or without a destination, that were skipped.
    private(set) var danglingCount: Int64 = 0
    /// Owners or destinations of some of them.
    private(set) var danglingKeys: [Int64] = []

    /// - Parameter statement: its columns are owner, destination, and whether the destination is there.
    init(_ statement: Statement) {
        self.statement = statement
    }

    /// Appends the destinations of an owner, whose key is above all that were asked for before.
    func appendLinks(of owner: Int64, to object: inout StoredObject) throws(SQLiteError) {
        while try advance() {
            let current = statement.integer(0)
            if current > owner { return }
            isOnRow = false
            if current == owner, statement.integer(2) != 0 {
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
