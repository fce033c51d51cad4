/// The structure of the rows of a root entity and all its subentities in memory: the version, then the columns.
struct TableShape: Sendable {
    /// The slot of the root entity.
    let root: Int
    let columns: [RowColumn]
    /// The position of each column.
    let positions: [RowColumn: Int]
    /// The number of values in a row.
    let width: Int

    init(root: Int, columns: [RowColumn]) {
        self.root = root
        self.columns = columns
        var positions: [RowColumn: Int] = [:]
        // The version is at position 0.
        var next = 1
        for column in columns {
            positions[column] = next
            next += column.width
        }
        self.positions = positions
        width = next
    }
}
