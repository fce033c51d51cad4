import ManagedObjectModels
import PredicateExpressions
import SQLiteAccess

/// The order of results of several stores, each of which gives its own in that order: what SQLite's ORDER BY would make
/// of all of them.
struct UnionOrder {
    private let isAscending: [Bool]
    /// What the current result of each store is sorted by; nil for a store that has no more.
    private var heads: [[SQLiteValue]?]

    init(_ descriptors: [FetchSortDescriptor], stores: Int) {
        isAscending = descriptors.map(\.isAscending)
        heads = Array(repeating: nil, count: stores)
    }

    /// Takes the keys of a store's current result; nil for a store that has no more.
    mutating func set(_ store: Int, _ cursor: FetchCursor?) {
        heads[store] = cursor.map { cursor in
            cursor.hiddenPlaces.suffix(isAscending.count).map { cursor.statement.value($0) }
        }
    }

    /// The store whose current result comes first, of equal ones the first store; nil if none has one.
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
    /// Where a value stands in ORDER BY: NULL, numbers, texts by their bytes, blobs; negative if before the other.
    func sortOrder(to other: SQLiteValue) -> Int {
        if rank != other.rank { return rank - other.rank }
        switch (self, other) {
        case (.integer(let left), .integer(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.real(let left), .real(let right)): return left < right ? -1 : left > right ? 1 : 0
        // SQLite has no NaN: it is NULL there.
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
