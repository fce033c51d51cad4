public import SQLiteAccess

/// A fetch request as statements: what `FetchCompiler` makes and `FetchCursor` runs.
public struct FetchPlan: Sendable {
    /// Why a part of the request is evaluated in Swift, object by object.
    public struct SwiftPart: Sendable, Hashable {
        /// The part of the request, such as `predicate`.
        public let subject: String
        /// Why SQL does not compute it, as a clause.
        public let reason: String
    }

    /// The statement; its columns are those of `columns` without lists, then the primary key where it is needed, then
    /// the hidden ones.
    public let sql: String
    /// The values of its parameters `?1`, `?2` and so on.
    public let parameters: [SQLiteValue]
    /// What the results consist of, in order.
    public let columns: [FetchedColumn]
    /// The parts that Swift evaluates; empty if SQL computes everything.
    public let swiftParts: [SwiftPart]
    let functions: [RowFunction]
    let texts: [SQLTextFunction]
    /// What comes in the statement behind the columns and the primary key.
    let hiddenColumns: [FetchedColumn]
    /// The number of the parameter that is the owner's primary key; nil without an owner.
    let ownerParameter: Int?
    /// The number of the parameter that is the first of a range of primary keys, the last one's is next; nil without.
    let keyParameter: Int?
    /// Where rows of the entity's own table have what the statement gives, if it does no more than read them in the order
    /// of their keys; nil if SQL computes something.
    let stored: StoredSelection?
}
