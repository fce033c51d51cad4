/// The state of the check of a tree's rows.
struct RowsOfTree: ~Copyable {
    let record: RecordCheck
    let tableLimits: PayloadLimits
    let indexLimits: PayloadLimits
    /// The coverage of the current page.
    var coverage = PageCoverage()
    /// The places of the values in the current record.
    var places: ValuePlaces
    /// The entries of the current page, if the tree is an index that is compared with its table.
    var entries: IndexEntries?
    /// The row ID of the row that was read last.
    private(set) var last: Int64?
    /// The check of whole leaves; nil for trees that are compared, since the comparison needs each value.
    private let leaves: LeafCheck?

    /// - Parameter usable: the number of usable bytes of a page.
    init(_ tree: TreeShape, usable: Int) {
        record = RecordCheck(columns: tree.columns, encoding: tree.encoding)
        leaves =
            tree.index == nil && tree.indexes.isEmpty ? LeafCheck(tree, record, usable: usable) : nil
        let members = tree.indexes.flatMap(\.columns).compactMap(\.position)
        places = ValuePlaces(wanted: tree.index?.columns.count ?? (members.max() ?? -1) + 1)
        entries = tree.index.map { IndexEntries($0) }
        tableLimits = PayloadLimits(usable: usable, isTable: true)
        indexLimits = PayloadLimits(usable: usable, isTable: false)
    }

    /// Checks the next row ID; returns nil if it is higher than the previous ones and within its bounds, otherwise a
    /// description of the fault.
    @inline(__always)
    mutating func note(_ rowID: Int64, above: Int64?, through: Int64?) -> String? {
        if let last, rowID <= last { return "row ID \(rowID) is out of order, after \(last)" }
        if let above, rowID <= above { return "row ID \(rowID) is out of order, behind \(above) of its parent" }
        if let through, rowID > through { return "row ID \(rowID) is out of order, before \(through) of its parent" }
        last = rowID
        return nil
    }

    /// Returns whether all cells of a leaf are sound. If not, or if this is not known, the leaf leaves no trace in the
    /// state.
    mutating func isSound(_ page: CheckedPage, _ bytes: Span<UInt8>, above: Int64?, through: Int64?) -> Bool {
        guard let leaves else { return false }
        var rowIDs = LeafCheck.RowIDs(above: above, through: through, last: last)
        guard leaves.isSound(page, bytes, &rowIDs, &coverage, &places) else { return false }
        last = rowIDs.last
        return true
    }
}
