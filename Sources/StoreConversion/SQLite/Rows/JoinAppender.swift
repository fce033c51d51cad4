import PersistentStores
import SQLiteFileBuilder
import StoreAssembly

/// Appends the links of objects to a join table while the table is built.
final class JoinAppender {
    private let rows: JoinRows
    private var sorted: [Int64] = []

    init(_ rows: JoinRows) {
        self.rows = rows
    }

    func append(_ links: ArraySlice<Int64>, of owner: Int64) throws(BuildError) {
        let hasDuplicates = hasDuplicates(links)
        var known: Set<Int64> = []
        for (position, link) in links.enumerated() {
            // The first position is used, as in SQLite, which skips a row that already exists.
            if hasDuplicates, !known.insert(link).inserted { continue }
            try rows.append(owner, link, order: OrderKeys.key(at: Int64(position)))
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
