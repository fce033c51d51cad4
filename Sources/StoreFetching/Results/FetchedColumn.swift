public import SQLiteAccess

/// A column of a fetch's results.
public struct FetchedColumn: Sendable, Hashable {
    public let name: String
    public let form: ValueForm

    /// The statement that gives the values of a to-many path for the primary key `?1`; nil for a single value.
    public let listSQL: String?
    /// The values of that statement's further parameters, from `?2` on.
    public let listParameters: [SQLiteValue]

    public var isList: Bool { listSQL != nil }

    public init(name: String, form: ValueForm, listSQL: String? = nil, listParameters: [SQLiteValue] = []) {
        self.listParameters = listParameters
        self.name = name
        self.form = form
        self.listSQL = listSQL
    }
}
