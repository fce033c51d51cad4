import KeyedArchives
import PredicateExpressions
import RecordConversion
import RecordSources

extension CompiledExpression {
    /// Returns the value for a record or a part of it, whose bytes are added to the batch's arena.
    ///
    /// If the expression cannot be computed, the value is a `.failure`, which no attribute accepts. The record is then
    /// rejected for the reason that is stored in the batch (`RecordBatch.reason`).
    func field(_ record: Int, _ node: Int, _ batch: inout RecordBatch) -> RecordField {
        var values: [ExpressionValue] = []
        for (origin, isNumeric) in zip(origins, isNumeric) {
            values.append(Self.value(of: origin.field(record, node, &batch), isNumeric: isNumeric, batch))
        }
        let result: ExpressionValue
        do {
            result = try program.evaluate(in: RecordContext(values, now: now))
        } catch {
            return failure((error as? EvaluationError)?.detail ?? "\(error)", record, node, &batch)
        }
        func field(_ kind: RecordField.Kind, _ text: String) -> RecordField {
            let bytes = Array(text.utf8)
            return RecordField(kind, start: batch.appendValue(bytes), length: bytes.count)
        }
        switch result {
        case .null: return .null
        case .boolean(let value): return field(.boolean, value ? "true" : "false")
        case .integer(let value): return field(.number, String(value))
        case .real(let value): return value.isFinite ? field(.number, "\(value)") : .null
        case .decimal(let value): return field(.number, "\(value)")
        case .string(let value), .url(let value): return field(.quoted, value)
        case .data(let bytes), .uuid(let bytes):
            return RecordField(.blob, start: batch.appendValue(bytes), length: bytes.count)
        case .date(let seconds):
            guard seconds.isFinite else { return .null }
            let start = batch.appendValue(
                (0..<8).map { UInt8(truncatingIfNeeded: seconds.bitPattern >> UInt64(8 * $0)) })
            return RecordField(.date, start: start, length: 8)
        case .object, .array, .set, .className, .host:
            return failure("the result is not a single value", record, node, &batch)
        }
    }

    private func failure(_ reason: String, _ record: Int, _ node: Int, _ batch: inout RecordBatch) -> RecordField {
        var values: [UInt8] = []
        for (index, origin) in origins.enumerated() {
            if index > 0 { values += ", ".utf8 }
            values += batch.textBytes(of: origin.field(record, node, &batch))
        }
        return batch.appendFailure(ExpressionFailure(reason: reason, columns: columns, values: values))
    }

    private static func value(of field: RecordField, isNumeric: Bool, _ batch: RecordBatch) -> ExpressionValue {
        switch field.kind {
        case .null, .missing, .node, .failure: return .null
        case .integer: return .integer(batch.integer(of: field))
        case .real: return .real(batch.real(of: field))
        case .date: return .date(batch.real(of: field))
        case .boolean: return .boolean(batch.bytes(of: field).first == UInt8(ascii: "t"))
        case .blob: return .data(Array(batch.bytes(of: field)))
        case .number: return number(batch.text(of: field)) ?? .null
        case .text, .quoted:
            let text = batch.text(of: field)
            // An unquoted empty text is not a value, as for attributes.
            if text.isEmpty, field.kind == .text || isNumeric { return .null }
            return (isNumeric ? number(text) : nil) ?? .string(text)
        }
    }

    private static func number(_ text: String) -> ExpressionValue? {
        if let whole = Int64(text) { return .integer(whole) }
        if let decimal = DecimalNumber(text) { return .decimal(decimal) }
        return Double(text).map { .real($0) }
    }
}

extension RecordBatch {
    /// Returns the reason why a field cannot be the value of a property, with the value in the source.
    func reason(
        _ failure: ConversionFailure, _ field: RecordField, expected: String, column: String?
    ) -> RejectionReason {
        guard let failed = self.failure(of: field) else {
            return RejectionReason(
                .unfit(failure, expected: expected), column: column, value: Array(textBytes(of: field)))
        }
        return RejectionReason(
            .unfit(ConversionFailure(.notComputable), expected: failed.reason), column: failed.columns,
            value: failed.values)
    }
}
