/// A table with a heading for each column; each row has the same number of cells.
struct PageTable: Sendable {
    let caption: String
    let columns: [String]
    /// The columns with numbers, which are aligned to the right.
    let numbers: Set<Int>
    var rows: [[String]] = []

    init(_ caption: String, _ columns: [String], numbers: Set<Int> = []) {
        self.caption = caption
        self.columns = columns
        self.numbers = numbers
    }
}
