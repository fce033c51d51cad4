package import SQLiteAccess

/// A copy of a record as it is in its source, so that it can be rejected long after its batch is gone.
package enum CapturedRecord: Equatable {
    /// The bytes of a text.
    case bytes([UInt8])
    /// The values of a database row.
    case row([SQLiteValue])

    /// Whether nothing of the record is known.
    package var isEmpty: Bool { self == .bytes([]) }

    /// The encoding for storage on disk: a tag, and for each value its class, its length or number, and its bytes.
    package var encoded: [UInt8] {
        switch self {
        case .bytes(let bytes): return [0] + bytes
        case .row(let values):
            var result: [UInt8] = [1]
            func append(_ tag: UInt8, _ bits: UInt64, _ bytes: [UInt8] = []) {
                result.append(tag)
                for shift in stride(from: 0, to: 64, by: 8) {
                    result.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
                }
                result += bytes
            }
            for value in values {
                switch value {
                case .null: append(0, 0)
                case .integer(let number): append(1, UInt64(bitPattern: number))
                case .real(let number): append(2, number.bitPattern)
                case .text(let bytes): append(3, UInt64(bytes.count), bytes)
                case .blob(let bytes): append(4, UInt64(bytes.count), bytes)
                }
            }
            return result
        }
    }

    package init(decoding encoded: [UInt8]) {
        guard encoded.first == 1 else {
            self = .bytes(Array(encoded.dropFirst()))
            return
        }
        var values: [SQLiteValue] = []
        var place = 1
        while place + 9 <= encoded.count {
            var bits: UInt64 = 0
            for index in (1...8).reversed() { bits = bits << 8 | UInt64(encoded[place + index]) }
            let tag = encoded[place]
            place += 9
            let length = tag >= 3 ? min(Int(clamping: bits), encoded.count - place) : 0
            let bytes = Array(encoded[place..<place + length])
            place += length
            switch tag {
            case 1: values.append(.integer(Int64(bitPattern: bits)))
            case 2: values.append(.real(Double(bitPattern: bits)))
            case 3: values.append(.text(bytes))
            case 4: values.append(.blob(bytes))
            default: values.append(.null)
            }
        }
        self = .row(values)
    }
}
