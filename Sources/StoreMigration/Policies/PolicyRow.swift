import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// A row that policies read: the one that a statement is at, or one that was read ahead.
final class PolicyRow {
    /// Converts the values of rows that were read ahead, where it does not have the row itself.
    private let statement: Statement
    @exclusivity(unchecked) private var isAhead = false
    /// The values of all rows of the block that was read ahead: each question for a block would count references.
    @exclusivity(unchecked) private var cells: [ArenaValue] = []
    @exclusivity(unchecked) private var arena: [UInt8] = []
    /// The place of the row's first value, and how many it has.
    @exclusivity(unchecked) private var first = 0
    @exclusivity(unchecked) private var width = 0

    /// SQL for rows that are read ahead.
    static let conversion = "SELECT ?1"

    init(_ statement: Statement) {
        self.statement = statement
    }

    /// Takes over the rows of a block that was read ahead.
    func begin(_ block: RowsAhead) {
        (isAhead, cells, arena, width) = (true, block.cells, block.arena, block.width)
    }

    /// Lets go of the block, which may be filled again.
    func endBlock() { (cells, arena) = ([], []) }

    /// Goes to a row of the block.
    func move(to row: Int) { first = row * width }

    /// Goes to the row that the statement finds by a key.
    func lookUp(_ key: Int64) throws(SQLiteError) {
        statement.reset()
        try statement.bindInteger(key, at: 1)
        _ = try statement.step()
    }

    /// Lets go of the statement's row.
    func leave() { statement.reset() }

    /// NULL where the row is no longer there.
    @inline(__always)
    private func cell(_ column: Int32) -> ArenaValue {
        let place = first + Int(column)
        return place < cells.count ? cells[place] : .null
    }

    func storageClass(_ column: Int32) -> StorageClass {
        guard isAhead else { return statement.storageClass(column) }
        return switch cell(column) {
        case .null: .null
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }

    func isNull(_ column: Int32) -> Bool { storageClass(column) == .null }

    func value(_ column: Int32) -> SQLiteValue {
        guard isAhead else { return statement.value(column) }
        return cell(column).sqliteValue(in: arena)
    }

    /// The integer; other values are converted as SQLite's CAST does, here and below.
    func integer(_ column: Int32) throws(SQLiteError) -> Int64 {
        guard isAhead else { return statement.integer(column) }
        if case .integer(let number) = cell(column) { return number }
        return try converted(column).integer(0)
    }

    func real(_ column: Int32) throws(SQLiteError) -> Double {
        guard isAhead else { return statement.real(column) }
        if case .real(let number) = cell(column) { return number }
        return try converted(column).real(0)
    }

    func string(_ column: Int32) throws(SQLiteError) -> String {
        guard isAhead else { return statement.string(column) }
        if case .text(let range) = cell(column) {
            return String(decoding: arena[range.range], as: UTF8.self)
        }
        return try converted(column).string(0)
    }

    /// The bytes of a text or a blob.
    func bytes(_ column: Int32) throws(SQLiteError) -> [UInt8] {
        guard isAhead else { return statement.withBytes(column) { Array($0) } }
        switch cell(column) {
        case .text(let range), .blob(let range): return Array(arena[range.range])
        default: return try converted(column).withBytes(0) { Array($0) }
        }
    }

    /// A value in the field's types; it is not NULL.
    func attributeValue(_ column: Int32, as type: AttributeType) throws(SQLiteError) -> AttributeValue {
        guard isAhead else { return statement.attributeValue(column, as: type) }
        return try converted(column).attributeValue(0, as: type)
    }

    private func converted(_ column: Int32) throws(SQLiteError) -> Statement {
        statement.reset()
        try statement.bind(value(column), at: 1)
        _ = try statement.step()
        return statement
    }

    /// The values of a row that was read ahead, and the bytes of its texts; no values of the row of a statement.
    var ahead: (cells: ArraySlice<ArenaValue>, arena: [UInt8]) {
        (first + width <= cells.count ? cells[first..<first + width] : [], arena)
    }

    /// Appends a value of the statement's row to the row that a table has begun.
    func append(_ column: Int32, to table: TableBuilder) throws(BuildError) {
        try table.append(column, of: statement)
    }

    /// Binds a value to a parameter; it is there as long as the row is.
    func bind(_ column: Int32, to other: Statement, at parameter: Int32) throws(SQLiteError) {
        if !isAhead {
            try other.bindColumn(borrowing: column, of: statement, at: parameter)
        } else {
            try other.bind(value(column), at: parameter)
        }
    }
}

/// Rows of a selection that were read ahead.
///
/// Is handed from one thread to another, and belongs to one at a time.
final class RowsAhead: RowBuffer, @unchecked Sendable {
    /// Values of a row.
    let width: Int
    @exclusivity(unchecked) private(set) var keys: [Int64] = []
    @exclusivity(unchecked) private(set) var cells: [ArenaValue] = []
    @exclusivity(unchecked) private(set) var arena: [UInt8] = []

    private let largestKept: Int

    init(width: Int, largestKept: Int) {
        (self.width, self.largestKept) = (width, largestKept)
    }

    var count: Int { keys.count }

    var isLarge: Bool { arena.count > largestKept }

    func removeAll() {
        arena.removeAll(keepingCapacity: !isLarge)
        keys.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
    }

    /// Adds the row that a statement is at.
    ///
    /// - Parameter key: the column with its key.
    func append(_ select: Statement, key: Int32) {
        keys.append(select.integer(key))
        select.copyRow(ofWidth: width, to: &cells, &arena)
    }
}
