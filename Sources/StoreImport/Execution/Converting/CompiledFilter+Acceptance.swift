import RecordSources

extension CompiledFilter {
    /// Whether a record, or the part of it at a node, satisfies the condition.
    func accepts(_ record: Int, _ node: Int, _ batch: inout RecordBatch) -> Bool {
        switch self {
        case .isIn(let origin, let values):
            let field = origin.field(record, node, &batch)
            guard !field.isAbsent else { return false }
            let bytes = batch.bytes(of: field)
            return values.contains { bytes.elementsEqual($0) }
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
}
