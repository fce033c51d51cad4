import ManagedObjectModels
import SQLiteAccess
import StoreFetching

/// The stored rows of some objects of one table, their snapshots, in one piece of memory.
///
/// A block may load its rows later: the first object whose value is accessed loads them all, or the requested columns
/// of all. It is released with its last object.
final class SnapshotBlock {
    let table: Int32
    let width: Int
    /// The keys of rows that have not been read, or only in part; empty when all are complete.
    @exclusivity(unchecked) private(set) var awaited: [Int64]
    /// The rows that were read; empty before.
    @exclusivity(unchecked) private var rows: BlockRows
    /// Whether anything was read: rows, or columns of them.
    @exclusivity(unchecked) private(set) var hasRows: Bool

    /// Whether columns are read separately when requested, until there are several.
    let readsParts: Bool

    /// Rows that were read because objects of this block lead to them, and that live as long.
    var companions: [CompanionRows] = []

    /// Whether the rows have been read with all columns.
    var isLoaded: Bool { awaited.isEmpty }

    /// Returns whether the rows have been read, at least with these columns.
    func hasRead(_ positions: Range<Int>) -> Bool { isLoaded || hasRows && rows.columns.has(positions) }

    /// Makes a block that waits for the rows of these keys.
    init(table: Int32, width: Int, awaiting keys: [Int64], readsParts: Bool = false) {
        self.table = table
        self.width = width
        self.readsParts = readsParts
        awaited = keys
        rows = BlockRows(ReadColumns(width: width))
        hasRows = false
    }

    /// Makes a block for rows that are appended.
    convenience init(table: Int32, width: Int) {
        self.init(table: table, width: width, awaiting: [])
        hasRows = true
    }

    /// Adds what was read. If these are complete rows, the block is loaded, and values that were read before are kept.
    func take(_ read: BlockRows) {
        var read = read
        if hasRows { read.keep(rows) }
        rows = read
        hasRows = true
        if rows.columns.isWhole { awaited = [] }
    }

    var count: Int { rows.entities.count }

    /// Adds a row without values; returns its index.
    func append(entity: Int) -> Int { rows.append(entity: entity) }

    /// Returns whether the store has the row.
    func has(_ row: Int) -> Bool { hasRows && rows.entities[row] >= 0 }

    func value(_ row: Int, _ position: Int) -> ArenaValue { hasRows ? rows.value(row, position) : .null }

    /// Returns the value at a position for a program, in a single lookup.
    func read(
        _ row: Int, _ position: Int, _ form: StoredForm, _ files: ExternalDataReader?
    ) throws -> ReadValue {
        guard hasRows, let place = rows.columns.place(of: position) else { return .unread }
        guard rows.entities[row] >= 0 else { return .absent }
        let stored = rows.values[row * rows.columns.count + place]
        // Most values have no bytes in an arena: retaining the arena would take longer than the rest.
        return .value(try form.value(stored, in: stored.hasBytes ? rows.arena : [], files))
    }

    /// Returns a value of a row that was read; nil for none.
    func value(
        _ row: Int, _ position: Int, _ form: StoredForm, _ files: ExternalDataReader?
    ) throws -> AttributeValue? {
        if case .value(let value) = try read(row, position, form, files) { value } else { nil }
    }

    func sqliteValue(_ row: Int, _ position: Int) -> SQLiteValue { hasRows ? rows.sqliteValue(row, position) : .null }

    /// Returns how often the row has changed, according to the store.
    func version(_ row: Int) -> Int64 {
        if case .integer(let version) = value(row, 0) { version } else { 0 }
    }

    /// Sets a value that has no bytes in another block.
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
