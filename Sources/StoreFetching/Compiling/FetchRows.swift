import PredicateExpressions

/// The rows of a statement to which names in expressions refer.
struct FetchRows {
    /// The evaluated object.
    let own: SQLRow
    /// `$FETCH_SOURCE`, the object that has a fetched property.
    var source: SQLRow?
}
