import PredicateExpressions

/// The rows of a statement that names in expressions stand for.
struct FetchRows {
    /// The evaluated object.
    let own: SQLRow
    /// `$FETCH_SOURCE`, the object that has a fetched property.
    var source: SQLRow?
}
