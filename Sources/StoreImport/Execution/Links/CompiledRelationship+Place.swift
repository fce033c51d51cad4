import RecordSources
import SQLiteAccess

extension CompiledRelationship {
    /// What orders the links of a record among those of several: numbers as such, other texts as they are; NULL for nothing.
    ///
    /// - Parameters:
    ///   - record: the number of the record in the batch.
    ///   - node: the part of the record that the object is made of; -1 for the whole.
    ///   - batch: gets bytes that are not one field of the record.
    func place(of record: Int, _ node: Int, _ batch: inout RecordBatch) -> SQLiteValue {
        guard let order else { return .null }
        let field = order.field(record, node, &batch)
        switch field.kind {
        case .null, .missing, .node, .failure: return .null
        case .integer: return .integer(batch.integer(of: field))
        case .real, .date: return .real(batch.real(of: field))
        case .text, .quoted, .number, .boolean, .blob:
            let bytes = Array(batch.bytes(of: field))
            if let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite { return .real(number) }
            return .text(bytes)
        }
    }
}
