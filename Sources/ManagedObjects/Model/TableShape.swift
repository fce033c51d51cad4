/// The rows of a root entity and all its subentities, as they are in memory: the version, then the columns.
struct TableShape: Sendable {
    /// The slot of the root entity.
    let root: Int
    let columns: [RowColumn]
    /// Where each column begins.
    let positions: [RowColumn: Int]
    /// How many values a row has.
    let width: Int

    init(root: Int, columns: [RowColumn]) {
        self.root = root
        self.columns = columns
        var positions: [RowColumn: Int] = [:]
        // The version comes first.
        var next = 1
        for column in columns {
            positions[column] = next
            next += column.width
        }
        self.positions = positions
        width = next
    }
}
