import RecordSources

extension CompiledOrigin {
    /// Returns the value of a record, or of a part of it. A value that is not a single field is added to the batch's
    /// arena.
    func field(_ record: Int, _ node: Int, _ batch: inout RecordBatch) -> RecordField {
        switch self {
        case .field(let column):
            batch.takeFields()
            return batch.field(column, of: record)
        case .path(let path):
            let start = node >= 0 ? node : Int(batch[record].rootNode)
            return start >= 0 ? path.field(batch.nodes, from: start) : .missing
        case .constant(let bytes):
            return RecordField(.quoted, start: batch.appendValue(bytes), length: bytes.count)
        case .firstOf(let origins):
            for origin in origins {
                let field = origin.field(record, node, &batch)
                if field.kind == .node ? batch.isContainer(field) : !field.isAbsent && field.length > 0 { return field }
            }
            return .missing
        case .template(let parts):
            return Self.fill(parts, record, node, &batch)
        case .computed(let expression):
            return expression.field(record, node, &batch)
        }
    }

    private static func fill(
        _ parts: [CompiledTemplatePart], _ record: Int, _ node: Int, _ batch: inout RecordBatch
    ) -> RecordField {
        var text: [UInt8] = []
        var hasValue = false
        for part in parts {
            switch part {
            case .literal(let bytes): text += bytes
            case .value(let origin):
                let field = origin.field(record, node, &batch)
                guard !field.isAbsent, field.length > 0, field.kind != .node else { continue }
                hasValue = true
                text += batch.textBytes(of: field)
            }
        }
        return hasValue ? RecordField(.quoted, start: batch.appendValue(text), length: text.count) : .missing
    }
}
