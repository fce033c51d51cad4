import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Appends the rows of a join table while that is built.
final class JoinAppender {
    private let table: TableBuilder
    /// Whether the owner's key is the second column.
    private let isTurned: Bool
    private let hasOrder: Bool
    private let hasInverseOrder: Bool
    private var sorted: [Int64] = []

    init(_ join: JoinTable, table: TableBuilder) {
        self.table = table
        isTurned = join.keyColumns.first != join.ownerColumn
        hasOrder = join.orderColumn != nil
        hasInverseOrder = join.inverseOrderColumn != nil
    }

    func append(_ links: ArraySlice<Int64>, of owner: Int64) throws(BuildError) {
        let hasDuplicates = hasDuplicates(links)
        var known: Set<Int64> = []
        for (position, link) in links.enumerated() {
            // The first place counts, as it does where SQLite skips a row that is there.
            if hasDuplicates, !known.insert(link).inserted { continue }
            table.beginRow()
            table.append(isTurned ? link : owner)
            table.append(isTurned ? owner : link)
            if hasInverseOrder { table.appendNull() }
            if hasOrder { table.append(OrderKeySequence.key(at: Int64(position))) }
            try table.endRow(Int64(table.count + 1))
        }
    }

    private func hasDuplicates(_ links: ArraySlice<Int64>) -> Bool {
        guard var last = links.first else { return false }
        var ascends = true
        for link in links.dropFirst() {
            if link <= last { ascends = false }
            last = link
        }
        if ascends { return false }
        sorted.removeAll(keepingCapacity: sorted.capacity <= 1 << 16)
        sorted += links
        sorted.sort()
        for index in sorted.indices.dropFirst() where sorted[index] == sorted[index - 1] { return true }
        return false
    }
}
