import PredicateExpressions
import StoreFetching

/// A request as a source is asked it.
struct ObjectSearch {
    var request: FetchRequest
    /// Whether the rows are wanted with the objects.
    var readsRows = true
    /// Only these stores; nil for all.
    var stores: [PersistentStore]?
    /// How many objects that have changed may be among the results, where the limit would cut others off.
    var surplus = 0

    init(_ request: FetchRequest) {
        self.request = request
    }
}
