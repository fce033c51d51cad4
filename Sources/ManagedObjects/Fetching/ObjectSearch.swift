import PredicateExpressions
import StoreFetching

/// A request in the form for a source.
struct ObjectSearch {
    var request: FetchRequest
    /// Whether the rows are read with the objects.
    var readsRows = true
    /// The stores to search; nil for all.
    var stores: [PersistentStore]?

    init(_ request: FetchRequest) {
        self.request = request
    }
}
