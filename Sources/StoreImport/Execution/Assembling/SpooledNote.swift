import RecordSources
import SQLiteAccess
import TextEncodings

/// A note about a record that is needed after all records have been read. It is spooled with a key, a value or a
/// reference of the record, and is passed back if something is wrong with it.
enum SpooledNote {
    /// A reference: the index of the object of the record that has it, the position of the relationship (to-one
    /// relationships first), the position in a list, and the key that it names.
    case reference(record: Int64, line: Int, object: Int, position: Int, ordinal: Int, key: [UInt8])
    /// A row without a value that a new object needs: the index of the object in the record, and the positions of the
    /// attributes.
    case incomplete(record: Int64, object: Int, positions: [Int])
    /// A row with a value that another object may have: the record, and the index of its object.
    case notUnique(PendingRecords.Entry, object: Int)
    /// A row of a mapping that is only for existing objects, or only for new ones: the record, the index of its object,
    /// and the positions of the attributes that a new object would lack.
    case mismatch(PendingRecords.Entry, object: Int, positions: [Int])
    /// A row with a list that would replace another one whose objects require an owner: the record, the index of its
    /// object, and the position of the list in the object.
    case unowned(PendingRecords.Entry, object: Int, list: Int)

    /// A row that refers to an object to be created, which may have a unique value of another object: the record, the
    /// index of its object, the position of the relationship (to-one relationships first), and the key.
    case unmakable(PendingRecords.Entry, object: Int, position: Int, key: [UInt8])

    /// A row with a list whose objects may get a unique value of another object: the record, the index of its object,
    /// and the position of the list in the object.
    case notUniqueInList(PendingRecords.Entry, object: Int, list: Int)

    /// A row because of which an object may have too many links or too few: the record, and the index of its object.
    case counted(PendingRecords.Entry, object: Int)

    private enum Kind: Int {
        case reference, incomplete, notUnique, mismatch, unowned, counted, notUniqueInList, unmakable
    }

    func encode(into encoder: inout SpoolEncoder) {
        encoder.removeAll()
        switch self {
        case .reference(let record, let line, let object, let position, let ordinal, let key):
            encoder.append(count: Kind.reference.rawValue)
            encoder.append(signed: Int(record))
            encoder.append(signed: line)
            encoder.append(signed: object)
            encoder.append(signed: position)
            encoder.append(signed: ordinal)
            encoder.append(bytes: key)
        case .incomplete(let record, let object, let positions):
            encoder.append(count: Kind.incomplete.rawValue)
            encoder.append(signed: Int(record))
            encoder.append(signed: object)
            Self.encode(positions, into: &encoder)
        case .notUnique(let entry, let object): Self.encode(.notUnique, entry, object, into: &encoder)
        case .mismatch(let entry, let object, let positions):
            Self.encode(.mismatch, entry, object, into: &encoder)
            Self.encode(positions, into: &encoder)
        case .counted(let entry, let object): Self.encode(.counted, entry, object, into: &encoder)
        case .unowned(let entry, let object, let list):
            Self.encode(.unowned, entry, object, into: &encoder)
            encoder.append(signed: list)
        case .notUniqueInList(let entry, let object, let list):
            Self.encode(.notUniqueInList, entry, object, into: &encoder)
            encoder.append(signed: list)
        case .unmakable(let entry, let object, let position, let key):
            Self.encode(.unmakable, entry, object, into: &encoder)
            encoder.append(signed: position)
            encoder.append(bytes: key)
        }
    }

    /// Appends a reference of a to-one relationship in the form of `encode`, with a single check of capacity.
    @_optimize(speed)
    static func appendReference(
        record: Int64, line: Int, object: Int, position: Int, key: Span<UInt8>, to encoder: inout SpoolEncoder
    ) {
        encoder.append(atMost: 7 + key.count) { output in
            output.append(count: Kind.reference.rawValue)
            output.append(signed: Int(record))
            output.append(signed: line)
            output.append(signed: object)
            output.append(signed: position)
            output.append(signed: 0)
            output.append(count: key.count)
            for index in key.indices { output.append(key[index]) }
        }
    }

    private static func encode(
        _ kind: Kind, _ entry: PendingRecords.Entry, _ object: Int, into encoder: inout SpoolEncoder
    ) {
        encoder.append(count: kind.rawValue)
        encoder.append(signed: Int(entry.record))
        encoder.append(signed: entry.file)
        encoder.append(signed: entry.number)
        encoder.append(signed: entry.line)
        encoder.append(signed: entry.byteOffset)
        encoder.append(bytes: entry.captured.encoded)
        encoder.append(signed: object)
    }

    private static func encode(_ positions: [Int], into encoder: inout SpoolEncoder) {
        encoder.append(count: positions.count)
        for position in positions { encoder.append(signed: position) }
    }

    private static func positions(_ decoder: inout SpoolDecoder) throws(SpoolDecoder.Fault) -> [Int] {
        var positions: [Int] = []
        for _ in 0..<(try decoder.count()) { positions.append(try decoder.signed()) }
        return positions
    }

    init(_ bytes: Span<UInt8>) throws(SpoolDecoder.Fault) {
        var copy: [UInt8] = []
        copy.append(copying: bytes)
        var decoder = SpoolDecoder(copy)
        guard let kind = Kind(rawValue: try decoder.count(atMost: Kind.unmakable.rawValue)) else { throw decoder.fault }
        switch kind {
        case .reference:
            self = .reference(
                record: Int64(try decoder.signed()), line: try decoder.signed(), object: try decoder.signed(),
                position: try decoder.signed(), ordinal: try decoder.signed(), key: Array(try decoder.data()))
        case .incomplete:
            let (record, object) = (Int64(try decoder.signed()), try decoder.signed())
            self = .incomplete(record: record, object: object, positions: try Self.positions(&decoder))
        case .notUnique, .mismatch, .unowned, .counted, .notUniqueInList, .unmakable:
            let entry = PendingRecords.Entry(
                record: Int64(try decoder.signed()), file: try decoder.signed(), number: try decoder.signed(),
                line: try decoder.signed(), byteOffset: try decoder.signed(),
                captured: CapturedRecord(decoding: Array(try decoder.data())))
            let object = try decoder.signed()
            switch kind {
            case .notUnique: self = .notUnique(entry, object: object)
            case .mismatch: self = .mismatch(entry, object: object, positions: try Self.positions(&decoder))
            case .counted: self = .counted(entry, object: object)
            case .notUniqueInList: self = .notUniqueInList(entry, object: object, list: try decoder.signed())
            case .unmakable:
                self = .unmakable(
                    entry, object: object, position: try decoder.signed(), key: Array(try decoder.data()))
            default: self = .unowned(entry, object: object, list: try decoder.signed())
            }
        }
    }
}

extension KeyBytes {
    /// Returns the values of a key.
    static func values(of key: [UInt8]) -> [SQLiteValue] {
        var values: [SQLiteValue] = []
        var place = 0
        while place + 9 <= key.count {
            let tag = key[place]
            var bits: UInt64 = 0
            for index in (place + 1...place + 8).reversed() { bits = bits << 8 | UInt64(key[index]) }
            place += 9
            switch tag {
            case integerTag: values.append(.integer(Int64(bitPattern: bits)))
            case realTag: values.append(.real(Double(bitPattern: bits)))
            default:
                let end = min(key.count, place + Int(clamping: bits))
                let bytes = Array(key[place..<end])
                values.append(tag == textTag ? .text(bytes) : .blob(bytes))
                place = end
            }
        }
        return values
    }
}
