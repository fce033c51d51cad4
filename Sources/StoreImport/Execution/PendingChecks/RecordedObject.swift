import ImportMappings
import SQLiteAccess

/// The values that a record gives to an object, as columns of the object's row.
struct RecordedObject {
    struct Cell {
        /// The name of the column, in quotes.
        let column: String
        let value: SQLiteValue
        /// Whether the record contains the value; otherwise, it is the value of a new object.
        let isSaid: Bool
    }

    /// The position among everything that is recorded.
    var number: Int64 = 0
    let record: Int64
    /// The indexes of the source and of its object mapping.
    let source: Int
    let mapping: Int
    let policy: MatchPolicy
    /// How the record is counted; nil if it created the object, or if an earlier entry of the record for the object has
    /// the count.
    var outcome: RecordCount.Kind?
    /// Whether the record can create the object if it does not exist; false if the record lacks something for that.
    var isWhole = true
    let cells: [Cell]

    private static let integerTag: UInt8 = 1
    private static let realTag: UInt8 = 2
    private static let textTag: UInt8 = 3
    private static let blobTag: UInt8 = 4
    /// The bit that marks the values that the record contains.
    private static let saidBit: UInt8 = 16

    var content: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ bits: UInt64) {
            withUnsafeBytes(of: bits.littleEndian) { bytes.append(contentsOf: $0) }
        }
        func append(_ text: [UInt8]) {
            append(UInt64(text.count))
            bytes += text
        }
        for cell in cells {
            append(Array(cell.column.utf8))
            let said = cell.isSaid ? Self.saidBit : 0
            switch cell.value {
            case .null: bytes.append(said)
            case .integer(let number):
                bytes.append(said | Self.integerTag)
                append(UInt64(bitPattern: number))
            case .real(let number):
                bytes.append(said | Self.realTag)
                append(number.bitPattern)
            case .text(let text):
                bytes.append(said | Self.textTag)
                append(text)
            case .blob(let blob):
                bytes.append(said | Self.blobTag)
                append(blob)
            }
        }
        return bytes
    }

    static func cells(of content: [UInt8]) -> [Cell] {
        var place = 0
        func word() -> UInt64 {
            guard place + 8 <= content.count else { return 0 }
            defer { place += 8 }
            return (0..<8).reversed().reduce(0) { $0 << 8 | UInt64(content[place + $1]) }
        }
        func text() -> [UInt8] {
            let end = place + 8 + Int(clamping: word())
            guard end <= content.count else { return [] }
            defer { place = end }
            return Array(content[place..<end])
        }
        var cells: [Cell] = []
        while place < content.count {
            let column = String(decoding: text(), as: UTF8.self)
            guard place < content.count else { break }
            let tag = content[place]
            place += 1
            let value: SQLiteValue =
                switch tag & ~saidBit {
                case integerTag: .integer(Int64(bitPattern: word()))
                case realTag: .real(Double(bitPattern: word()))
                case textTag: .text(text())
                case blobTag: .blob(text())
                default: .null
                }
            cells.append(Cell(column: column, value: value, isSaid: tag & saidBit != 0))
        }
        return cells
    }
}
