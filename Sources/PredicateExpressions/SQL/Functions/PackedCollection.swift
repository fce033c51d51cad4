public import SQLiteAccess

/// Packs the values of several rows into one, `ferry_pack(value, place)`, for an expression that only Swift can
/// evaluate.
///
/// Each value is a byte for its storage class, followed by its bytes: eight for integers and reals, little-endian;
/// texts and blobs are preceded by their size, as an integer.
final class PackedCollection: SQLAggregate {
    /// The maximum size in bytes: Swift needs a whole collection at a time, and this is far beyond those of
    /// relationships.
    static let maximumSize = 16 << 20

    private var elements: [(place: Int64, value: SQLiteValue)] = []
    private var size = 0

    func step(_ arguments: borrowing FunctionArguments) throws {
        let value = arguments.value(0)
        size += 24
        switch value {
        case .text(let bytes), .blob(let bytes): size += bytes.count
        default: break
        }
        guard size <= Self.maximumSize else {
            throw EvaluationFault(
                .unsupported, "a collection of more than \(Self.maximumSize >> 20) MiB cannot be evaluated in Swift")
        }
        elements.append((arguments.isNull(1) ? .max : arguments.integer(1), value))
    }

    func result() -> SQLiteValue {
        var bytes: [UInt8] = []
        // Values with the same order key stay in their original order.
        let sorted = elements.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
        for (_, element) in sorted { Self.append(element.value, to: &bytes) }
        return .blob(bytes)
    }

    private static func append(_ value: SQLiteValue, to bytes: inout [UInt8]) {
        func append(_ number: UInt64) {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        switch value {
        case .null: bytes.append(0)
        case .integer(let number):
            bytes.append(1)
            append(UInt64(bitPattern: number))
        case .real(let number):
            bytes.append(2)
            append(number.bitPattern)
        case .text(let text):
            bytes.append(3)
            append(UInt64(text.count))
            bytes += text
        case .blob(let data):
            bytes.append(4)
            append(UInt64(data.count))
            bytes += data
        }
    }

    /// Returns the values of a packed collection, up to the first invalid one.
    static func values(_ bytes: [UInt8]) -> [SQLiteValue] {
        var values: [SQLiteValue] = []
        var rest = bytes[...]
        func number() -> UInt64? {
            guard rest.count >= 8 else { return nil }
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        func data() -> [UInt8]? {
            guard let count = number().flatMap({ Int(exactly: $0) }), count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        while let kind = rest.popFirst() {
            let value: SQLiteValue? =
                switch kind {
                case 0: .null
                case 1: number().map { .integer(Int64(bitPattern: $0)) }
                case 2: number().map { .real(Double(bitPattern: $0)) }
                case 3: data().map { .text($0) }
                case 4: data().map { .blob($0) }
                default: nil
                }
            guard let value else { break }
            values.append(value)
        }
        return values
    }
}

/// Collections that compiled expressions have packed into one value.
public enum PackedValues {
    /// Returns the values, in order; an empty list for NULL.
    public static func unpacked(_ value: SQLiteValue) -> [SQLiteValue] {
        PackedCollection.values(value.blob ?? [])
    }
}
