/// Lines of cells, aligned into columns.
public struct TextColumns {
    private var rows: [[String]] = []
    /// The columns that are aligned to the right, as numbers are.
    private let rightAligned: Set<Int>

    /// Makes a table without rows; the columns with these indexes, counted from 0, are aligned to the right.
    public init(rightAligned: Set<Int> = []) {
        self.rightAligned = rightAligned
    }

    /// Adds a row.
    public mutating func add(_ cells: String...) {
        add(cells)
    }

    /// Adds a row.
    public mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    /// Returns the rows, with each cell padded to the width of its column; without trailing spaces.
    public func lines(indent: String = "  ") -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            var line = indent
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                line += rightAligned.contains(column) ? padding + cell : cell + padding
                line += "  "
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
