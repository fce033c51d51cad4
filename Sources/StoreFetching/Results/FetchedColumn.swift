public import SQLiteAccess

/// A column of a fetch's results.
public struct FetchedColumn: Sendable, Hashable {
    /// The name in the results, such as `department.name`.
    public let name: String
    /// The form of its values.
    public let form: ValueForm

    /// The statement for the values of a to-many path, for the primary key `?1`; nil for a single value.
    public let listSQL: String?
    /// The values of further parameters of that statement, from `?2` on.
    public let listParameters: [SQLiteValue]

    /// Whether the column has any number of values per result.
    public var isList: Bool { listSQL != nil }

    /// Makes a column of single values, or of lists.
    public init(name: String, form: ValueForm, listSQL: String? = nil, listParameters: [SQLiteValue] = []) {
        self.listParameters = listParameters
        self.name = name
        self.form = form
        self.listSQL = listSQL
    }
}
