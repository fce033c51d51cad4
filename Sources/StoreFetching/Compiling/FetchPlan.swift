public import SQLiteAccess

/// A fetch request as SQL statements, made by `FetchCompiler` and executed by `FetchCursor`.
public struct FetchPlan: Sendable {
    /// A part of the request that is evaluated in Swift, object by object, and the reason.
    public struct SwiftPart: Sendable, Hashable {
        /// The part of the request, such as `predicate`.
        public let subject: String
        /// Why SQL cannot evaluate it, as a clause.
        public let reason: String
    }

    /// The statement; its columns are those of `columns` without lists, then the primary key if needed, then the hidden
    /// ones.
    public let sql: String
    /// The values of the parameters `?1`, `?2` and so on.
    public let parameters: [SQLiteValue]
    /// The columns of the results, in order.
    public let columns: [FetchedColumn]
    /// The parts that Swift evaluates; empty if SQL evaluates everything.
    public let swiftParts: [SwiftPart]
    let functions: [RowFunction]
    let texts: [SQLTextFunction]
    /// The columns of the statement after the results and the primary key.
    let hiddenColumns: [FetchedColumn]
    /// The number of the parameter for the owner's primary key; nil without an owner.
    let ownerParameter: Int?
    /// The number of the parameter for the first primary key of a range, which that for the last key follows; nil
    /// without a range.
    let keyParameter: Int?
    /// The selection of plain rows that is equivalent to the statement, if it only reads them in the order of their
    /// keys; nil if SQL computes anything.
    let stored: StoredSelection?
}
