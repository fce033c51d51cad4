import KeyedArchives
import ManagedObjectModels
import SQLiteAccess
import TextEncodings

extension StoredObject {
    /// Takes a value of a row as a value of an attribute type; returns false if it has another type and cannot be
    /// converted exactly.
    mutating func take(_ row: Statement, _ column: Int32, as type: AttributeType, at place: Int) -> Bool {
        let storage = row.storageClass(column)
        if storage == .null { return true }
        switch type {
        case .integer16, .integer32, .integer64, .boolean:
            if storage == .integer {
                setValue(ArenaValue.integer(row.integer(column)), at: place)
            } else {
                guard storage == .real, let whole = Int64(exactly: row.real(column)) else { return false }
                setValue(ArenaValue.integer(whole), at: place)
            }
        case .double, .float, .date:
            // Whole numbers are stored as integers; doubles represent all of them up to 2^53.
            guard storage == .real || storage == .integer,
                storage == .real
                    || Int64(exactly: row.real(column)) == row.integer(column)
            else { return false }
            setValue(ArenaValue.real(row.real(column)), at: place)
        case .decimal:
            switch storage {
            case .integer: setText(at: place) { $0.append(integer: row.integer(column)) }
            case .real:
                let number = row.real(column)
                let shortest = "\(number)"
                let text = DecimalNumber(shortest)?.description ?? shortest
                setText(at: place) { $0 += text.utf8 }
            case .text: setText(at: place) { copy(row, column, to: &$0) }
            case .blob, .null: return false
            }
        case .string, .uri:
            guard storage == .text else { return false }
            setText(at: place) { copy(row, column, to: &$0) }
        case .uuid:
            guard storage == .blob, row.withSpan(column, { $0.count }) == 16 else { return false }
            setBlob(at: place) { copy(row, column, to: &$0) }
        case .binaryData, .transformable, .undefined, .objectID, .composite:
            guard storage == .blob else { return false }
            setBlob(at: place) { copy(row, column, to: &$0) }
        }
        return true
    }
}

/// Appends the bytes of a column.
private func copy(_ row: Statement, _ column: Int32, to bytes: inout [UInt8]) {
    row.withSpan(column) { bytes.append(copying: $0) }
}
