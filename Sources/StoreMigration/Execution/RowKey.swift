import SQLiteAccess
import TextEncodings

/// The values of a row as bytes. Each value is preceded by its storage class; texts and BLOBs are also preceded by
/// their length. Rows with equal bytes have equal values.
struct RowKey {
    private(set) var bytes: [UInt8] = []

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func addNull() { bytes.append(UInt8(StorageClass.null.rawValue)) }
    mutating func add(_ value: Int64) { add(.integer, UInt64(bitPattern: value)) }
    mutating func add(_ value: Double) { add(.real, value.bitPattern) }
    mutating func add(text: Span<UInt8>) { add(.text, text) }
    mutating func add(blob: Span<UInt8>) { add(.blob, blob) }

    private mutating func add(_ storage: StorageClass, _ value: Span<UInt8>) {
        add(storage, UInt64(value.count))
        bytes.append(copying: value)
    }

    private mutating func add(_ storage: StorageClass, _ number: UInt64) {
        bytes.append(UInt8(storage.rawValue))
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
