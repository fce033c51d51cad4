/// An entry of an index on one column that holds an integer or NULL: sixteen bytes that sort by their first eight.
struct IntegerEntry: BitwiseCopyable {
    var key: UInt64 = 0
    var row: Int64 = 0
}

/// The order of integers and NULL as that of unsigned numbers, and back.
struct IntegerOrder {
    let isDescending: Bool

    /// NULL comes before all integers. The lowest of these has its place: nil, it is sorted another way.
    @inline(__always)
    func key(_ value: Int64?) -> UInt64? {
        guard let value else { return isDescending ? .max : 0 }
        guard value != .min else { return nil }
        let key = UInt64(bitPattern: value) ^ 1 << 63
        return isDescending ? ~key : key
    }

    /// The key of a value as a record has it; nil if that is neither an integer nor NULL.
    @inline(__always)
    func key(_ type: UInt64, _ bytes: borrowing ByteBuffer, at start: Int) -> UInt64? {
        if type == SerialType.null { return key(nil) }
        guard SerialType.isInteger(type) else { return nil }
        return key(SerialType.loadInteger(bytes, type, at: start))
    }

    @inline(__always)
    func value(_ key: UInt64) -> Int64? {
        let key = isDescending ? ~key : key
        return key == 0 ? nil : Int64(bitPattern: key ^ 1 << 63)
    }
}
