import SQLiteAccess

/// The rows of some objects of one table, as the store has them: their snapshots, in one piece of memory.
///
/// A block may wait for its rows: the first object that is asked for a value loads them all. It goes with its last
/// object.
final class SnapshotBlock {
    let table: Int32
    let width: Int
    /// The keys whose rows are not read yet; empty once they are.
    private(set) var awaited: [Int64]
    private(set) var values: [ArenaValue] = []
    private(set) var arena: [UInt8] = []
    /// The slots of the objects' entities; -1 for a row that is not there.
    private(set) var entities: [Int32] = []

    /// Rows that were read because the objects of these lead to theirs, and stay as long.
    var companions: [CompanionRows] = []

    var isLoaded: Bool { awaited.isEmpty }

    /// A block that waits for the rows of these keys.
    init(table: Int32, width: Int, awaiting keys: [Int64]) {
        self.table = table
        self.width = width
        awaited = keys
    }

    /// A block for rows that are appended.
    convenience init(table: Int32, width: Int) {
        self.init(table: table, width: width, awaiting: [])
    }

    var count: Int { entities.count }

    /// Makes room for rows that are not there until they are filled.
    func prepare() {
        values = [ArenaValue](repeating: .null, count: width * awaited.count)
        entities = [Int32](repeating: -1, count: awaited.count)
    }

    /// Ends the waiting.
    func finish() { awaited = [] }

    /// Adds a row without values; returns its number.
    func append(entity: Int) -> Int {
        entities.append(Int32(truncatingIfNeeded: entity))
        values.append(contentsOf: repeatElement(.null, count: width))
        return entities.count - 1
    }

    func setEntity(_ slot: Int, ofRow row: Int) { entities[row] = Int32(truncatingIfNeeded: slot) }

    /// Whether the store has the row.
    func has(_ row: Int) -> Bool { entities[row] >= 0 }

    func value(_ row: Int, _ position: Int) -> ArenaValue { values[row * width + position] }

    func sqliteValue(_ row: Int, _ position: Int) -> SQLiteValue {
        values[row * width + position].sqliteValue(in: arena)
    }

    /// How often the row has changed, as the store counts.
    func version(_ row: Int) -> Int64 {
        if case .integer(let version) = value(row, 0) { version } else { 0 }
    }

    /// Takes a column of a statement's row, its bytes copied.
    func set(_ row: Int, _ position: Int, from column: Int32, of statement: Statement) {
        let value: ArenaValue
        switch statement.storageClass(column) {
        case .null: value = .null
        case .integer: value = .integer(statement.integer(column))
        case .real: value = .real(statement.real(column))
        case .text: value = .text(append(column, of: statement))
        case .blob: value = .blob(append(column, of: statement))
        }
        values[row * width + position] = value
    }

    private func append(_ column: Int32, of statement: Statement) -> ArenaRange {
        let start = arena.count
        statement.withSpan(column) { bytes in
            for index in bytes.indices { arena.append(bytes[index]) }
        }
        return ArenaRange(start: start, count: arena.count - start)
    }

    /// Takes a value that has no bytes in another block.
    func set(_ row: Int, _ position: Int, to value: ArenaValue) { values[row * width + position] = value }

    func set(_ row: Int, _ position: Int, to value: SQLiteValue) {
        let stored: ArenaValue
        switch value {
        case .null: stored = .null
        case .integer(let number): stored = .integer(number)
        case .real(let number): stored = .real(number)
        case .text(let bytes): stored = .text(append(bytes))
        case .blob(let bytes): stored = .blob(append(bytes))
        }
        values[row * width + position] = stored
    }

    private func append(_ bytes: [UInt8]) -> ArenaRange {
        let start = arena.count
        arena += bytes
        return ArenaRange(start: start, count: bytes.count)
    }
}
