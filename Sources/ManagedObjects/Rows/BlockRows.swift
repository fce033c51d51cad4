import ManagedObjectModels
import SQLiteAccess
import StoreFetching

/// The values of some rows, with their bytes, in one piece of memory.
struct BlockRows {
    let columns: ReadColumns
    private(set) var values: [ArenaValue]
    private(set) var arena: [UInt8] = []
    /// The slots of the objects' entities; -1 for a row that does not exist.
    private(set) var entities: [Int32]

    /// Makes rows that do not exist until they are filled.
    init(_ columns: ReadColumns, count: Int = 0) {
        self.columns = columns
        values = [ArenaValue](repeating: .null, count: columns.count * count)
        entities = [Int32](repeating: -1, count: count)
    }

    mutating func reserveCapacity(_ rows: Int) {
        values.reserveCapacity(rows * columns.count)
        entities.reserveCapacity(rows)
    }

    /// Adds a row without values; returns its index.
    mutating func append(entity: Int) -> Int {
        entities.append(Int32(truncatingIfNeeded: entity))
        values.append(contentsOf: repeatElement(.null, count: columns.count))
        return entities.count - 1
    }

    mutating func setEntity(_ slot: Int, ofRow row: Int) { entities[row] = Int32(truncatingIfNeeded: slot) }

    func value(_ row: Int, _ position: Int) -> ArenaValue {
        columns.place(of: position).map { values[row * columns.count + $0] } ?? .null
    }

    func sqliteValue(_ row: Int, _ position: Int) -> SQLiteValue { value(row, position).sqliteValue(in: arena) }

    /// Sets a value that has no bytes in an arena.
    mutating func set(_ row: Int, _ position: Int, to value: ArenaValue) {
        guard let place = columns.place(of: position) else { return }
        values[row * columns.count + place] = value
    }

    mutating func set(_ row: Int, _ position: Int, to value: SQLiteValue) {
        switch value {
        case .null: set(row, position, to: ArenaValue.null)
        case .integer(let number): set(row, position, to: ArenaValue.integer(number))
        case .real(let number): set(row, position, to: ArenaValue.real(number))
        case .text(let bytes): set(row, position, to: ArenaValue.text(append(bytes.span)))
        case .blob(let bytes): set(row, position, to: ArenaValue.blob(append(bytes.span)))
        }
    }

    /// Returns a column of a statement's row, with its bytes copied.
    mutating func value(of statement: Statement, _ column: Int32) -> ArenaValue {
        statement.arenaValue(column, &arena)
    }

    /// Sets the value at a position, counted over all rows.
    mutating func put(_ value: ArenaValue, at place: Int) { values[place] = value }

    private mutating func append(_ bytes: Span<UInt8>) -> ArenaRange {
        let start = arena.count
        if arena.capacity < start + bytes.count { arena.reserveCapacity(2 * (start + bytes.count)) }
        for index in bytes.indices { arena.append(bytes[index]) }
        return ArenaRange(start: start, count: bytes.count)
    }

    /// Keeps values that were read before, with their version, even if the store now has others, so that a save detects
    /// the conflict.
    mutating func keep(_ part: BlockRows) {
        for row in part.entities.indices where part.entities[row] >= 0 && entities[row] >= 0 {
            let read = part.columns.positions.dropFirst()
            guard read.contains(where: { part.sqliteValue(row, $0) != sqliteValue(row, $0) }) else { continue }
            set(row, 0, to: part.value(row, 0))
            for position in read { set(row, position, to: part.sqliteValue(row, position)) }
        }
    }
}
