/// An object that a list names, and that is created after the last record if no other object has its key.
public struct ListedObject {
    /// The conditions under which the row that names the object does not apply.
    public enum Condition: Int, Sendable {
        /// The row always applies.
        case none
        /// The row may be rejected.
        case rejection
        /// The row is skipped if it does not create its object, and it may be rejected.
        case skipping
        /// The row is skipped if no other row creates its object, and it may be rejected.
        case missing
    }

    /// A value of the object that must be unique and is not its key.
    public typealias UniqueValue = (slot: Int, value: KeyDigest)

    /// A part of the keys of its table: the digest of the value or of the default, nil for NULL; and whether it is a
    /// default.
    public typealias Part = (digest: KeyDigest?, isDefault: Bool)

    let digest: KeyDigest
    let entity: Int
    let number: Int64?
    let row: Int64
    let owner: (table: AssembledTable, arrival: Int64)
    let condition: Condition
    let record: Int64
    let unique: (values: [UniqueValue], key: KeyDigest, note: Int64)?
    /// The turn of the object: objects are created after those with lower turns, whichever was named first.
    let turn: Int
    /// The parts of the keys of its table, if its objects are found by several.
    let parts: [Part]

    /// Creates an object that a list names.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - entity: the entity of the object, among those of the key space.
    ///   - number: the entity number, if it must be known which objects are created because a reference names them;
    ///     otherwise nil.
    ///   - row: the offset of the encoded row, as the table stores it.
    ///   - owner: the row that names the object, and its table.
    ///   - condition: the condition under which that row does not apply.
    ///   - record: the number of the row's record.
    ///   - unique: the values that must be unique, the digest of the key of the object's entity, and the offset of the
    ///     note that the client gets if another object has the values; nil if there are no such values.
    ///   - list: the list that names it, if objects are created list after list; nil if they come in the order in which
    ///     they are named.
    ///   - parts: the parts of the keys of its table, in their order; none if its objects are found by one key.
    public init(
        _ digest: KeyDigest, entity: Int, number: Int64?, row: Int64, owner: (table: AssembledTable, arrival: Int64),
        _ condition: Condition, record: Int64, unique: (values: [UniqueValue], key: KeyDigest, note: Int64)?,
        inTurnOf list: AssembledList?, parts: [Part]
    ) {
        self.parts = parts
        (self.digest, self.entity, self.number, self.row) = (digest, entity, number, row)
        (self.owner, self.condition, self.record, self.unique) = (owner, condition, record, unique)
        turn = list.map { $0.position + 1 } ?? 0
    }

    // MARK: - On disk

    private static let wordCount = 15

    /// Encodes the object.
    ///
    /// - Parameter space: the number of its key space.
    func encoded(for space: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * (Self.wordCount + 3 * (unique?.values.count ?? 0) + 3 * parts.count))
        func add(_ numbers: Int64...) { for number in numbers { bytes.append(word: UInt64(bitPattern: number)) } }
        func add(_ digest: KeyDigest) {
            bytes.append(word: digest.high)
            bytes.append(word: digest.low)
        }
        add(digest)
        add(Int64(space), Int64(entity), number ?? -1, row, Int64(owner.table.position), owner.arrival)
        add(Int64(condition.rawValue), record, unique?.note ?? -1)
        add(unique?.key ?? digest)
        add(Int64(turn), Int64(parts.count))
        for part in parts {
            add((part.digest == nil ? 0 : 1) | (part.isDefault ? 2 : 0))
            add(part.digest ?? digest)
        }
        for (slot, value) in unique?.values ?? [] {
            add(Int64(slot))
            add(value)
        }
        return bytes
    }

    /// Decodes an object.
    ///
    /// - Parameter tables: the tables of the assembly.
    init(_ bytes: Span<UInt8>, tables: [AssembledTable]) {
        func number(_ index: Int) -> Int64 { Int64(bitPattern: bytes.word(at: 8 * index)) }
        func digest(_ index: Int) -> KeyDigest {
            KeyDigest(high: bytes.word(at: 8 * index), low: bytes.word(at: 8 * index + 8))
        }
        self.digest = digest(0)
        (entity, self.number, row) = (Int(number(3)), number(4) < 0 ? nil : number(4), number(5))
        owner = (tables[Int(number(6))], number(7))
        (condition, record) = (Condition(rawValue: Int(number(8))) ?? .none, number(9))
        let end = Self.wordCount + 3 * Int(number(Self.wordCount - 1))
        parts = stride(from: Self.wordCount, to: end, by: 3).map { index in
            (digest: number(index) & 1 == 0 ? nil : digest(index + 1), isDefault: number(index) & 2 != 0)
        }
        let values = stride(from: end, to: bytes.count / 8, by: 3).map { index in
            (slot: Int(number(index)), value: digest(index + 1))
        }
        unique = number(10) < 0 ? nil : (values, digest(11), number(10))
        turn = Int(number(Self.wordCount - 2))
    }

    /// Decodes the number of the key space of an object.
    static func space(_ bytes: Span<UInt8>) -> Int { Int(bytes.word(at: 16)) }
}
