import PersistentStores
import SQLiteAccess
import StoreAssembly

/// A step in the execution of a migration.
public struct MigrationStep: Sendable {
    /// The kind of work, for the plan and the progress.
    public enum Phase: String, Sendable, Codable {
        /// The kinds of work, in the order of execution.
        case schema, objects, relationships, keptTables, indexes, derivedAttributes, bookkeeping, foreignObjects
    }

    enum Work: Sendable {
        /// An SQL statement.
        case statement(String)
        /// The statement that writes the metadata, to which the property list is bound.
        case metadata(String, plist: [UInt8])
        /// The rows of one table, in windows of the primary key.
        case fill(TableFill)
        /// All rows in one statement, because there is no key for windows, or because SQLite copies whole records
        /// itself.
        case fillWhole(WholeFill)
        /// A change of links in rows that have been written.
        case links(LinkChange)
        /// The count of the places of a join table's links, on one side, by a statement.
        case places(JoinTable, LinkPairs.Side, String)
        /// A stage of a policy.
        case policy(PolicyStep)
        /// The links that policies have set.
        case policyLinks(PolicyProgram)
        /// The removal of the data that policies have passed to each other.
        case policyEnd(PolicyProgram)
        /// An index, trigger or view that does not belong to Core Data, and is left out if it would not work.
        case foreign(SchemaObject)
    }

    /// The kind of work.
    public let phase: Phase

    /// The table that the step works on.
    public let table: String

    /// What the step does, for the plan.
    public let summary: String

    /// The entity mapping whose objects the step creates; nil for steps of all mappings, or of none.
    var mapping: String?

    /// Whether the step fills a table of `KeyTables`, or a part of one.
    var isTemporary = false

    /// Whether the statement removes rows whose entity number does not belong to their table.
    var removesStrangers = false

    let work: Work

    /// The SQL text; nil if the step is not a single statement.
    public var sql: String? {
        switch work {
        case .statement(let sql), .metadata(let sql, _), .places(_, _, let sql): sql
        case .fill(let fill): fill.insertStatement
        case .fillWhole(let fill): fill.statement
        case .foreign(let object): object.sql
        case .links(let change): change.statement
        case .policy, .policyLinks, .policyEnd: nil
        }
    }

    /// The links that the step changes; nil for other steps.
    var linkChange: LinkChange? { if case .links(let change) = work { change } else { nil } }

    /// The rows with which the step fills a table, if they can be read one by one without the table.
    var rows: TableFill? {
        switch work {
        case .fill(let fill): fill.needsRowTransfer ? nil : fill
        case .fillWhole(let fill): fill.rows
        default: nil
        }
    }

    /// The rows that the step adds to its table, if they can be determined without reading the table; nil otherwise.
    var additions: TableAdditions? {
        switch work {
        case .fill(let fill): fill.needsRowTransfer ? .inlined(fill) : .copied(fill)
        case .fillWhole(let fill): fill.rows.map { .copied($0) } ?? fill.links.map { .links($0) }
        default: nil
        }
    }

    /// Whether the added rows depend on other rows of the new file.
    var readsResult: Bool { additions?.readsResult ?? false }

    /// Whether another run can continue where this step was interrupted.
    var isResumable: Bool {
        if case .policy(let step) = work { step.policy.isResumable } else { true }
    }

    /// A text that identifies what the step does.
    var identity: String {
        if case .policy(let step) = work {
            "\(step.stage.rawValue) of \(step.mapping.name) by \(step.policy.reason): \(step.selectStatement)"
        } else {
            "\(phase.rawValue) \(sql ?? summary)"
        }
    }
}

/// An `INSERT ... SELECT` into one table, in windows of the primary key.
struct TableFill: Sendable {
    /// The destination table.
    let table: String
    /// The quoted name of the source table.
    let source: String
    let columns: [String]
    /// For each column, the source of its value.
    let values: [ColumnExpression]
    /// An additional condition on source rows; nil for all rows.
    let condition: String?
    /// The entity numbers of the rows that are taken, if the condition depends on nothing else.
    let entityNumbers: [Int]?

    /// The indexes of the columns whose external values become inline, so that the rows are processed in Swift.
    let inlinedColumns: [Int]

    /// The key that divides the source's rows into windows: `rowid` in tables without their own primary key.
    var key = "Z_PK"

    /// The key, quoted if necessary.
    var quotedKey: String { key == "rowid" ? key : SQLiteIdentifier.bare(key) }

    /// The values that are examined as the rows are written.
    var watched: WatchedValues?

    /// An expression for each column, over the source row `s`.
    var expressions: [String] { values.map(\.sql) }

    var needsRowTransfer: Bool { !inlinedColumns.isEmpty }

    /// The difference between the key of a new row and the key of its source; nil if the key is computed.
    var keyOffset: Int64? {
        columns.firstIndex(of: "Z_PK").flatMap { offset(of: values[$0]) }
    }

    /// Returns the difference between a new key and the key of the row's source; nil if the new key is computed.
    func offset(of newKey: ColumnExpression) -> Int64? {
        switch newKey {
        case .key(let offset): offset
        case .column(key): 0
        default: nil
        }
    }

    /// The SELECT for the rows of a window from key ?1 to key ?2.
    var selectStatement: String { selection(of: expressions) }

    /// Returns a SELECT of expressions over the rows of a window from key ?1 to key ?2.
    func selection(of expressions: [String]) -> String {
        "SELECT \(expressions.joined(separator: ", ")) FROM \(source) s WHERE s.\(quotedKey) >= ?1 AND "
            + "s.\(quotedKey) <= ?2" + (condition.map { " AND " + $0 } ?? "") + " ORDER BY s.\(quotedKey)"
    }

    /// Whether the rows depend on other rows of the new file.
    var readsResult: Bool { selectStatement.readsResult }

    /// The query for the first key after ?1.
    var nextKeyStatement: String { "SELECT min(\(quotedKey)) FROM \(source) WHERE \(quotedKey) > ?1" }

    /// Returns the first and the last key of the source; nil if it has no rows.
    func bounds(on connection: Connection) throws(SQLiteError) -> ClosedRange<Int64>? {
        try connection.bounds(of: quotedKey, in: source)
    }

    var insertPrefix: String { "INSERT INTO main.\(table) (\(columns.joined(separator: ", ")))" }

    var insertStatement: String { insertPrefix + " " + selectStatement }

    var insertValuesStatement: String {
        insertPrefix + " VALUES (" + columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ") + ")"
    }
}

/// An `INSERT ... SELECT` that is executed as one statement.
struct WholeFill: Sendable {
    let statement: String
    /// The same rows, copied one by one; nil if only SQLite can determine the rows.
    var rows: TableFill?
    /// The same rows as the only links of a join table; nil if other steps add links to the table, or for other tables.
    var links: LinkFill?
}

/// The rows of a join table. Of several rows with the same two keys, only the first one is added.
struct LinkFill: Sendable {
    /// The quoted names of the columns; the first two contain the keys.
    let columns: [String]
    /// A query for the values of the columns, sorted by the keys.
    let selectStatement: String
    /// A query for the keys, if there are no other columns, in any order and with duplicates; nil if SQLite sorts them.
    let unsortedStatement: String?
}

/// The rows that a step adds to a table.
enum TableAdditions {
    /// Rows that are selected or copied in windows of the primary key.
    case copied(TableFill)
    /// Rows whose external values become inline.
    case inlined(TableFill)
    /// Rows of a join table.
    case links(LinkFill)

    /// The rows as rows of a source table; nil for links.
    var fill: TableFill? {
        switch self {
        case .copied(let fill), .inlined(let fill): fill
        case .links: nil
        }
    }

    /// Whether the rows depend on other rows of the new file.
    var readsResult: Bool { selectStatement.readsResult }

    var selectStatement: String {
        switch self {
        case .copied(let fill), .inlined(let fill): fill.selectStatement
        case .links(let links): links.selectStatement
        }
    }
}

extension String {
    /// Whether a query reads the new file.
    var readsResult: Bool { lowercased().contains("main.") }
}

extension Connection {
    /// Returns the first and the last key of a table; nil if it has no rows.
    ///
    /// - Parameters:
    ///   - key: the column, quoted if necessary.
    ///   - table: the table, as it appears after `FROM`.
    func bounds(of key: String, in table: String) throws(SQLiteError) -> ClosedRange<Int64>? {
        // If both were requested in one SELECT, SQLite would read all rows.
        let bounds =
            try rows("SELECT (SELECT min(\(key)) FROM \(table)), (SELECT max(\(key)) FROM \(table))").first ?? []
        guard let first = bounds.first?.integer, let last = bounds.last?.integer else { return nil }
        return first...last
    }
}
