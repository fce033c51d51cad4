public import PersistentStores
import PredicateExpressions
public import SQLiteAccess
import SQLiteFileBuilder

/// The results of a fetch, row by row, in memory that does not grow with their number.
public final class FetchCursor {
    /// What the results consist of, in order.
    public let columns: [FetchedColumn]
    /// The statement at the current row; its columns are those of `statementColumns`.
    public let statement: Statement
    /// The place of each column in the statement; lists have none.
    public let statementColumns: [Int32?]
    /// Reads binary values that lie in files beside the store.
    public let externalData: ExternalDataReader
    private let lists: [Statement?]
    private let keyColumn: Int32
    let parameters: [SQLiteValue]
    private let selection: StoredSelection?
    /// Has the current row in the place of the statement, if pages are read; for writers that know of it.
    @exclusivity(unchecked) private(set) var stored: TableRows?
    private let ownerParameter: Int?
    private let keyParameter: Int?
    let reader: PropertyReader
    /// The hidden properties of the request, and their places in the statement.
    public let hiddenColumns: [FetchedColumn]
    /// The places of the hidden properties in the statement, from 0.
    public let hiddenPlaces: [Int32]

    /// Asked for each row; a row that it refuses is skipped; nil accepts all.
    @exclusivity(unchecked) public var accepts: ((FetchCursor) throws -> Bool)?

    /// Called with each row that a writer leaves out, and the reason; if nil, such a row is an error.
    public var onRefusal: ((FetchCursor, String) throws -> Void)?

    /// Prepares the statements of a plan; the connection must be the store's that the plan was made for.
    /// - Throws: `SQLiteError` if a statement does not compile, as over a store of another layout.
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

    /// The primary key of the current result; of a request that includes it.
    public var primaryKey: Int64 { stored?.rowID ?? statement.integer(keyColumn) }

    /// Begins again with the objects of an owner, by its primary key; of a request that has one.
    /// - Throws: `SQLiteError` if the statement takes no values.
    public func begin(owner key: Int64) throws {
        guard let ownerParameter else { return }
        statement.reset()
        var values = parameters
        values[ownerParameter - 1] = .integer(key)
        try statement.bind(values)
    }

    /// Begins again with the objects whose primary keys are in a range; of a request for one.
    /// - Throws: `SQLiteError` if the statement takes no values.
    package func begin(keys: ClosedRange<Int64>) throws {
        guard let keyParameter else { return }
        if let stored { return try stored.begin(keys) }
        statement.reset()
        try statement.bindInteger(keys.lowerBound, at: Int32(keyParameter))
        try statement.bindInteger(keys.upperBound, at: Int32(keyParameter + 1))
    }

    /// Has the rows of ranges of keys read from the pages of the table, where the plan wants no more than its columns. The
    /// transaction must last as long, and writers must be able to take such rows.
    /// - Throws: `SQLiteError` if the schema or the first page cannot be read.
    package func readPages() throws(SQLiteError) {
        stored = try selection?.rows(on: statement.connection)
    }

    /// Goes to the next row; false after the last.
    /// - Throws: `SQLiteError` if the store cannot be read; `EvaluationError` if Swift cannot evaluate a part of the
    ///   request; what `accepts` throws.
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

    /// Leaves the current row out because of a value that a format cannot hold; rethrows where no one takes refusals.
    func refuse(_ error: FetchError) throws {
        guard let onRefusal, case .valueNotWritable(let column, let reason) = error.code else { throw error }
        try onRefusal(self, "\(column): \(reason)")
    }

    /// Runs the statement of a list for the current row; its values are column 0 of the statement's rows.
    ///
    /// The closure is called for each value.
    /// - Throws: `SQLiteError` if the store cannot be read; what the body throws.
    public func forEachElement(of column: Int, _ body: (Statement) throws -> Void) throws {
        guard let list = lists[column] else { return }
        defer { list.reset() }
        try list.bind([.integer(statement.integer(keyColumn))] + columns[column].listParameters)
        while try list.step() {
            try body(list)
        }
    }
}
