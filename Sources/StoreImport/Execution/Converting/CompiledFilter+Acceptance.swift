import RecordSources

extension CompiledFilter {
    /// Whether a record, or the part of it at a node, satisfies the condition.
    func accepts(_ record: Int, _ node: Int, _ batch: inout RecordBatch) -> Bool {
        switch self {
        case .isIn(let origin, let values):
            let field = origin.field(record, node, &batch)
            guard !field.isAbsent else { return false }
            return Self.isAny(of: values, field, batch)
        case .isPresent(let origin):
            let field = origin.field(record, node, &batch)
            return !field.isAbsent && field.length > 0
        case .not(let filter): return !filter.accepts(record, node, &batch)
        case .all(let filters):
            for filter in filters where !filter.accepts(record, node, &batch) { return false }
            return true
        case .any(let filters):
            for filter in filters where filter.accepts(record, node, &batch) { return true }
            return false
        }
    }

    /// Whether a value is one of those that a mapping has as texts. Numbers that a source holds as such are compared as
    /// numbers: there is no way in which they are written.
    private static func isAny(of values: [[UInt8]], _ field: RecordField, _ batch: RecordBatch) -> Bool {
        switch field.kind {
        case .integer:
            let number = batch.integer(of: field)
            return values.contains { value in
                let text = String(decoding: value, as: UTF8.self)
                return Int64(text).map { $0 == number } ?? (Double(text) == Double(number))
            }
        case .real, .date:
            let number = batch.real(of: field)
            return values.contains { Double(String(decoding: $0, as: UTF8.self)) == number }
        case .text, .quoted, .null, .missing, .number, .boolean, .blob, .node, .failure:
            let bytes = batch.bytes(of: field)
            return values.contains { bytes.elementsEqual($0) }
        }
    }
}
