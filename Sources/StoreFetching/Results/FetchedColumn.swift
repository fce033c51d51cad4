public import SQLiteAccess

/// A column of a fetch's results.
public struct FetchedColumn: Sendable, Hashable {
    /// What the results call it, as in `department.name`.
    public let name: String
    /// What kind of value it has.
    public let form: ValueForm

    /// The statement that gives the values of a to-many path for the primary key `?1`; nil for a single value.
    public let listSQL: String?
    /// The values of that statement's further parameters, from `?2` on.
    public let listParameters: [SQLiteValue]

    /// Whether a result has any number of values in the column.
    public var isList: Bool { listSQL != nil }

    /// Makes a column of single values, or of lists.
    public init(name: String, form: ValueForm, listSQL: String? = nil, listParameters: [SQLiteValue] = []) {
        self.listParameters = listParameters
        self.name = name
        self.form = form
        self.listSQL = listSQL
    }
}
