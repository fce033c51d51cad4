import RecordSources
import SQLiteAccess

extension CompiledRelationship {
    /// Returns the value by which the links that several records add to one list are ordered: a number if the field is
    /// a number or a text that can be read as one, otherwise the text; NULL if there is no order or no value.
    ///
    /// - Parameters:
    ///   - record: the number of the record in the batch.
    ///   - node: the part of the record from which the object is made; -1 for the whole record.
    ///   - batch: the batch of the record, which also gets bytes that are not one field of the record.
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
