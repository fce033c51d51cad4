import PersistentStores
import SQLiteAccess

/// One step of a migration's execution, in order.
public struct MigrationStep: Sendable {
    /// What kind of work it is, for the plan and the progress.
    public enum Phase: String, Sendable, Codable {
        /// What is made, filled or brought up to date, in the order of the work.
        case schema, objects, relationships, keptTables, indexes, derivedAttributes, bookkeeping, foreignObjects
    }

    enum Work: Sendable {
        /// One SQL statement.
        case statement(String)
        /// The statement that writes the metadata, whose property list is bound.
        case metadata(String, plist: [UInt8])
        /// Rows of one table, by windows of the primary key.
        case fill(TableFill)
        /// Rows in one go: no key to window by, or SQLite copies whole pages' worth of rows itself.
        case fillWhole(WholeFill)
        /// A phase of a policy.
        case policy(PolicyStep)
        /// The links that policies have made.
        case policyLinks(PolicyProgram)
        /// What policies have left for each other goes.
        case policyEnd(PolicyProgram)
        /// Somebody else's index, trigger or view, which is left out where it would not work.
        case foreign(SchemaObject)
    }

    /// What kind of work it is.
    public let phase: Phase

    /// The table that the step works on.
    public let table: String

    /// What the step does, for the plan.
    public let summary: String

    /// The entity mapping whose objects the step makes; nil for steps of all, or of none.
    var mapping: String?

    /// Whether the step makes a table of `KeyTables`, or part of one.
    var isTemporary = false

    /// Whether the rows that the statement removes have an entity number that does not belong to their table.
    var removesStrangers = false

    let work: Work

    /// The SQL text; nil if the step is not one statement.
    public var sql: String? {
        switch work {
        case .statement(let sql), .metadata(let sql, _): sql
        case .fill(let fill): fill.insertStatement
        case .fillWhole(let fill): fill.statement
        case .foreign(let object): object.sql
        case .policy, .policyLinks, .policyEnd: nil
        }
    }

    /// The rows that the step fills a table with, where they can be read one by one without the table.
    var rows: TableFill? {
        switch work {
        case .fill(let fill): fill.needsRowTransfer ? nil : fill
        case .fillWhole(let fill): fill.rows
        default: nil
        }
    }

    /// Whether another run can go on where this step was left.
    var isResumable: Bool {
        if case .policy(let step) = work { step.policy.isResumable } else { true }
    }

    /// What the step does, as a text that no other step has.
    var identity: String {
        if case .policy(let step) = work {
            "\(step.stage) of \(step.mapping.name) by \(step.policy.reason): \(step.selectStatement)"
        } else {
            "\(phase) \(sql ?? summary)"
        }
    }
}

/// An `INSERT ... SELECT` of one table by windows of the primary key.
struct TableFill: Sendable {
    /// The destination table.
    let table: String
    /// The quoted name of the source table.
    let source: String
    let columns: [String]
    /// By column, where its value comes from.
    let values: [ColumnExpression]
    /// The condition on source rows beyond the window; nil for all.
    let condition: String?
    /// The numbers of the entities whose rows are taken, if the condition asks for nothing else.
    let entityNumbers: [Int]?

    /// The columns, by position, whose external values become inline: the row goes through Swift.
    let inlinedColumns: [Int]

    /// What the source's rows are read by, in windows: `rowid` in tables without a primary key of their own.
    var key = "Z_PK"

    /// What of the rows is looked at as they are written.
    var watched: WatchedValues?

    /// One expression per column over the source row `s`.
    var expressions: [String] { values.map(\.sql) }

    var needsRowTransfer: Bool { !inlinedColumns.isEmpty }

    /// The rows of a window, whose first key is ?1 and whose last is ?2.
    var selectStatement: String { selection(of: expressions) }

    /// Some expressions over the rows of a window, whose first key is ?1 and whose last is ?2.
    func selection(of expressions: [String]) -> String {
        "SELECT \(expressions.joined(separator: ", ")) FROM \(source) s WHERE s.\(key) >= ?1 AND s.\(key) <= ?2"
            + (condition.map { " AND " + $0 } ?? "") + " ORDER BY s.\(key)"
    }

    /// The first key behind ?1.
    var nextKeyStatement: String { "SELECT min(\(key)) FROM \(source) WHERE \(key) > ?1" }

    /// The first and the last key of the source; nil if it has no rows.
    func bounds(on connection: Connection) throws(SQLiteError) -> ClosedRange<Int64>? {
        try connection.bounds(of: key, in: source)
    }

    var insertPrefix: String { "INSERT INTO main.\(table) (\(columns.joined(separator: ", ")))" }

    var insertStatement: String { insertPrefix + " " + selectStatement }

    var insertValuesStatement: String {
        insertPrefix + " VALUES (" + columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ") + ")"
    }
}

/// An `INSERT ... SELECT` that runs as one statement.
struct WholeFill: Sendable {
    let statement: String
    /// The same as rows that are copied one by one; nil if only SQLite can tell which rows there will be.
    var rows: TableFill?
}

extension Connection {
    /// The first and the last key of a table; nil if it has no rows.
    ///
    /// - Parameters:
    ///   - key: the column, quoted where need be.
    ///   - table: its table, as it stands behind `FROM`.
    func bounds(of key: String, in table: String) throws(SQLiteError) -> ClosedRange<Int64>? {
        // Asked for both at once, SQLite would read all rows.
        let bounds =
            try rows("SELECT (SELECT min(\(key)) FROM \(table)), (SELECT max(\(key)) FROM \(table))").first ?? []
        guard let first = bounds.first?.integer, let last = bounds.last?.integer else { return nil }
        return first...last
    }
}
