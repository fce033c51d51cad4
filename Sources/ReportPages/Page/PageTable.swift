/// A table with a heading for each column; as many cells in each row.
struct PageTable: Sendable {
    let caption: String
    let columns: [String]
    /// The columns that hold numbers, which are aligned at the right.
    let numbers: Set<Int>
    var rows: [[String]] = []

    init(_ caption: String, _ columns: [String], numbers: Set<Int> = []) {
        self.caption = caption
        self.columns = columns
        self.numbers = numbers
    }
}
