import ManagedObjectModels
import SQLiteAccess
import StoreFetching

/// The rows of some objects of one table, as the store has them: their snapshots, in one piece of memory.
///
/// A block may wait for its rows: the first object that is asked for a value loads them all, or of all the columns that
/// are asked for. It goes with its last object.
final class SnapshotBlock {
    let table: Int32
    let width: Int
    /// The keys whose rows are not read yet, or in part; empty once they are.
    @exclusivity(unchecked) private(set) var awaited: [Int64]
    /// What was read; without rows as long as nothing is.
    @exclusivity(unchecked) private var rows: BlockRows
    /// Whether something was read: rows, or columns of them.
    @exclusivity(unchecked) private(set) var hasRows: Bool

    /// Whether columns are read when they are asked for, until several are.
    let readsParts: Bool

    /// Rows that were read because the objects of these lead to theirs, and stay as long.
    var companions: [CompanionRows] = []

    /// Whether the rows are there with all columns.
    var isLoaded: Bool { awaited.isEmpty }

    /// Whether the rows are there with these columns, if not with all.
    func hasRead(_ positions: Range<Int>) -> Bool { isLoaded || hasRows && rows.columns.has(positions) }

    /// A block that waits for the rows of these keys.
    init(table: Int32, width: Int, awaiting keys: [Int64], readsParts: Bool = false) {
        self.table = table
        self.width = width
        self.readsParts = readsParts
        awaited = keys
        rows = BlockRows(ReadColumns(width: width))
        hasRows = false
    }

    /// A block for rows that are appended.
    convenience init(table: Int32, width: Int) {
        self.init(table: table, width: width, awaiting: [])
        hasRows = true
    }

    /// Takes what was read. If these are whole rows, the waiting ends, and what was read before stays as it was read.
    func take(_ read: BlockRows) {
        var read = read
        if hasRows { read.keep(rows) }
        rows = read
        hasRows = true
        if rows.columns.isWhole { awaited = [] }
    }

    var count: Int { rows.entities.count }

    /// Adds a row without values; returns its number.
    func append(entity: Int) -> Int { rows.append(entity: entity) }

    /// Whether the store has the row.
    func has(_ row: Int) -> Bool { hasRows && rows.entities[row] >= 0 }

    func value(_ row: Int, _ position: Int) -> ArenaValue { hasRows ? rows.value(row, position) : .null }

    /// What a program sees at a place, in one look.
    func read(
        _ row: Int, _ position: Int, _ form: StoredForm, _ files: ExternalDataReader?
    ) throws -> ReadValue {
        guard hasRows, let place = rows.columns.place(of: position) else { return .unread }
        guard rows.entities[row] >= 0 else { return .absent }
        let stored = rows.values[row * rows.columns.count + place]
        // Most values have no bytes elsewhere: to hold those takes longer than the rest.
        return .value(try form.value(stored, in: stored.hasBytes ? rows.arena : [], files))
    }

    /// A value of a row that was read; nil for none.
    func value(
        _ row: Int, _ position: Int, _ form: StoredForm, _ files: ExternalDataReader?
    ) throws -> AttributeValue? {
        if case .value(let value) = try read(row, position, form, files) { value } else { nil }
    }

    func sqliteValue(_ row: Int, _ position: Int) -> SQLiteValue { hasRows ? rows.sqliteValue(row, position) : .null }

    /// How often the row has changed, as the store counts.
    func version(_ row: Int) -> Int64 {
        if case .integer(let version) = value(row, 0) { version } else { 0 }
    }

    /// Takes a value that has no bytes in another block.
    func set(_ row: Int, _ position: Int, to value: ArenaValue) { rows.set(row, position, to: value) }

    func set(_ row: Int, _ position: Int, to value: SQLiteValue) { rows.set(row, position, to: value) }
}

extension ArenaValue {
    /// Whether the value has bytes in an arena.
    fileprivate var hasBytes: Bool {
        switch self {
        case .text, .blob: true
        case .null, .integer, .real: false
        }
    }
}
