/// Lines of cells, aligned into columns.
public struct TextColumns {
    private var rows: [[String]] = []
    /// The columns whose cells end at the same place, as numbers do.
    private let rightAligned: Set<Int>

    /// Makes a table without rows; columns of these numbers, from 0, are aligned to the right.
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

    /// The rows, each cell as wide as its column; no spaces at the end.
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
