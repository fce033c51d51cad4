/// What is known of the rows of a tree while it is walked.
struct RowsOfTree: ~Copyable {
    let record: RecordCheck
    let tableLimits: PayloadLimits
    let indexLimits: PayloadLimits
    /// Of the page that is read.
    var coverage = PageCoverage()
    /// Of the record that was read.
    var places: ValuePlaces
    /// Of an index that is compared with its table.
    var entries: IndexEntries?
    /// The row ID of the row that was read last.
    private(set) var last: Int64?
    /// nil for trees that are compared: of those each value counts.
    private let leaves: LeafCheck?

    /// - Parameter usable: bytes of a page.
    init(_ tree: TreeShape, usable: Int) {
        record = RecordCheck(columns: tree.columns)
        leaves =
            tree.index == nil && tree.indexes.isEmpty ? LeafCheck(tree, record, usable: usable) : nil
        let members = tree.indexes.flatMap(\.columns).compactMap(\.position)
        places = ValuePlaces(wanted: tree.index?.columns.count ?? (members.max() ?? -1) + 1)
        entries = tree.index.map { IndexEntries($0) }
        tableLimits = PayloadLimits(usable: usable, isTable: true)
        indexLimits = PayloadLimits(usable: usable, isTable: false)
    }

    /// What is wrong with the next row ID; nil if it is higher than those before it and within its bounds.
    @inline(__always)
    mutating func note(_ rowID: Int64, above: Int64?, through: Int64?) -> String? {
        if let last, rowID <= last { return "row ID \(rowID) is out of order, after \(last)" }
        if let above, rowID <= above { return "row ID \(rowID) is out of order, behind \(above) of its parent" }
        if let through, rowID > through { return "row ID \(rowID) is out of order, before \(through) of its parent" }
        last = rowID
        return nil
    }

    /// Whether all cells of a leaf are as they must be; if not, or if that is not known, nothing is noted of them.
    mutating func isSound(_ page: CheckedPage, _ bytes: Span<UInt8>, above: Int64?, through: Int64?) -> Bool {
        guard let leaves else { return false }
        var rowIDs = LeafCheck.RowIDs(above: above, through: through, last: last)
        guard leaves.isSound(page, bytes, &rowIDs, &coverage, &places) else { return false }
        last = rowIDs.last
        return true
    }
}
