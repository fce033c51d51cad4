import RecordSources

extension CompiledFilter {
    /// Returns whether a record, or the part of it at a node, satisfies the condition.
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

    /// Returns whether a value equals one of the texts in a mapping. Values that are numbers in the source are compared
    /// as numbers, because they have no written form.
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
