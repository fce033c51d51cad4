public import PersistentStores
import PredicateExpressions
public import SQLiteAccess
import SQLiteFileBuilder

/// The results of a fetch, row by row; memory does not grow with their number.
public final class FetchCursor {
    /// The columns of the results, in order.
    public let columns: [FetchedColumn]
    /// The statement at the current row; its columns are those of `statementColumns`.
    public let statement: Statement
    /// The index of each column in the statement; nil for lists.
    public let statementColumns: [Int32?]
    /// Reads binary values from files beside the store.
    public let externalData: ExternalDataReader
    private let lists: [Statement?]
    private let keyColumn: Int32
    let parameters: [SQLiteValue]
    private let selection: StoredSelection?
    /// The current row, if pages are read, in place of the statement's; for writers that support it.
    @exclusivity(unchecked) private(set) var stored: TableRows?
    private let ownerParameter: Int?
    private let keyParameter: Int?
    let reader: PropertyReader
    /// The hidden properties of the request.
    public let hiddenColumns: [FetchedColumn]
    /// The indexes of the hidden properties in the statement, from 0.
    public let hiddenPlaces: [Int32]

    /// Called for each row, which is skipped if this returns false; nil to accept all.
    @exclusivity(unchecked) public var accepts: ((FetchCursor) throws -> Bool)?

    /// Called with each row that a writer leaves out, and the reason; if nil, such a row is an error.
    public var onRefusal: ((FetchCursor, String) throws -> Void)?

    /// Prepares the statements of a plan; the connection must be the store's that the plan was made for.
    /// - Throws: `SQLiteError` if a statement does not compile, for example if the store has another layout.
    public init(_ plan: FetchPlan, store: SQLiteStore, layout: StoreLayout) throws {
        let connection = store.connection
        externalData = ExternalDataReader(of: store.files)
        reader = PropertyReader(connection: connection, layout: layout, externalData: externalData)
        try connection.registerExpressionFunctions()
        for function in plan.functions {
            try function.register(on: connection, reading: reader)
        }
        for text in plan.texts { try text.register(on: connection, reading: reader) }
        statement = try connection.prepare(plan.sql)
        try statement.bind(plan.parameters)
        parameters = plan.parameters
        selection = plan.stored
        ownerParameter = plan.ownerParameter
        keyParameter = plan.keyParameter
        columns = plan.columns
        var next: Int32 = 0
        statementColumns = plan.columns.map { column in
            guard !column.isList else { return nil }
            next += 1
            return next - 1
        }
        keyColumn = next
        hiddenColumns = plan.hiddenColumns
        hiddenPlaces = plan.hiddenColumns.indices.map { [next] in next + 1 + Int32($0) }
        lists = try plan.columns.map { try $0.listSQL.map { try connection.prepare($0, persistent: true) } }
    }

    deinit {
        reader.close()
    }

    /// The primary key of the current result, if the request includes it.
    public var primaryKey: Int64 { stored?.rowID ?? statement.integer(keyColumn) }

    /// Restarts with the objects of an owner, given by its primary key; for a request with an owner.
    /// - Throws: `SQLiteError` if values cannot be bound to the statement.
    public func begin(owner key: Int64) throws {
        guard let ownerParameter else { return }
        statement.reset()
        var values = parameters
        values[ownerParameter - 1] = .integer(key)
        try statement.bind(values)
    }

    /// Restarts with the objects whose primary keys are in a range; for a request with a range.
    /// - Throws: `SQLiteError` if values cannot be bound to the statement.
    package func begin(keys: ClosedRange<Int64>) throws {
        guard let keyParameter else { return }
        if let stored { return try stored.begin(keys) }
        statement.reset()
        try statement.bindInteger(keys.lowerBound, at: Int32(keyParameter))
        try statement.bindInteger(keys.upperBound, at: Int32(keyParameter + 1))
    }

    /// Reads the rows of key ranges directly from the pages of the table, if the plan needs only its columns. The
    /// transaction must not end before, and writers must support such rows.
    /// - Throws: `SQLiteError` if the schema or the first page cannot be read.
    package func readPages() throws(SQLiteError) {
        stored = try selection?.rows(on: statement.connection)
    }

    /// Advances to the next row; returns false after the last.
    /// - Throws: `SQLiteError` if the store cannot be read; `EvaluationError` if Swift cannot evaluate a part of the
    ///   request; any error of `accepts`.
    public func next() throws -> Bool {
        repeat {
            do {
                guard try stored?.next() ?? statement.step() else { return false }
            } catch {
                throw reader.failure ?? error
            }
        } while try !(accepts?(self) ?? true)
        return true
    }

    /// Leaves the current row out because of a value that a format cannot represent; rethrows the error if refusals are
    /// not handled.
    func refuse(_ error: FetchError) throws {
        guard let onRefusal, case .valueNotWritable(let column, let reason) = error.code else { throw error }
        try onRefusal(self, "\(column): \(reason)")
    }

    /// Runs the statement of a list for the current row; its values are column 0 of the statement's rows.
    ///
    /// The closure is called for each value.
    /// - Throws: `SQLiteError` if the store cannot be read; any error of the closure.
    public func forEachElement(of column: Int, _ body: (Statement) throws -> Void) throws {
        guard let list = lists[column] else { return }
        defer { list.reset() }
        try list.bind([.integer(statement.integer(keyColumn))] + columns[column].listParameters)
        while try list.step() {
            try body(list)
        }
    }
}
