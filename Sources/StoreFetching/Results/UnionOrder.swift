import ManagedObjectModels
import PredicateExpressions
import SQLiteAccess

/// The order in which the sorted results of several stores are merged: that of SQLite's ORDER BY.
struct UnionOrder {
    private let isAscending: [Bool]
    /// The sort keys of the current result of each store; nil for a store that has no more.
    private var heads: [[SQLiteValue]?]

    init(_ descriptors: [FetchSortDescriptor], stores: Int) {
        isAscending = descriptors.map(\.isAscending)
        heads = Array(repeating: nil, count: stores)
    }

    /// Sets the sort keys of a store's current result; nil for a store that has no more.
    mutating func set(_ store: Int, _ cursor: FetchCursor?) {
        heads[store] = cursor.map { cursor in
            cursor.hiddenPlaces.suffix(isAscending.count).map { cursor.statement.value($0) }
        }
    }

    /// The store with the first current result, the first store if equal; nil if no store has one.
    var first: Int? {
        var found: (store: Int, keys: [SQLiteValue])?
        for (store, keys) in heads.enumerated() {
            guard let keys else { continue }
            if found.map({ precedes(keys, $0.keys) }) ?? true { found = (store, keys) }
        }
        return found?.store
    }

    private func precedes(_ left: [SQLiteValue], _ right: [SQLiteValue]) -> Bool {
        for (index, isAscending) in isAscending.enumerated() {
            let order = left[index].sortOrder(to: right[index])
            if order != 0 { return (order < 0) == isAscending }
        }
        return false
    }
}

extension SQLiteValue {
    /// Compares values as ORDER BY does: NULL, numbers, texts by their bytes, blobs; negative if this one comes first.
    func sortOrder(to other: SQLiteValue) -> Int {
        if rank != other.rank { return rank - other.rank }
        switch (self, other) {
        case (.integer(let left), .integer(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.real(let left), .real(let right)): return left < right ? -1 : left > right ? 1 : 0
        // SQLite has no NaN, which is NULL there.
        case (.integer(let left), .real(let right)): return left.order(with: right) ?? 0
        case (.real(let left), .integer(let right)): return -(right.order(with: left) ?? 0)
        case (.text(let left), .text(let right)), (.blob(let left), .blob(let right)):
            return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        default: return 0
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}
