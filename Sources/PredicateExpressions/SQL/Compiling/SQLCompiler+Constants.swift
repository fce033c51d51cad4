import KeyedArchives
import SQLiteAccess

extension SQLCompiler {
    /// Returns a constant: integers are written literally, everything else as a parameter.
    mutating func constant(_ value: ExpressionValue, _ place: Expression) throws(SQLRefusal) -> SQLTerm {
        switch value {
        case .array(let values), .set(let values):
            guard values.count <= limits.elements, parameters.count + values.count <= limits.parameters else {
                throw refuse(place, "it has too many elements")
            }
            var operands: [SQLOperand] = []
            for value in values {
                guard case .value(let operand) = try constant(value, place) else {
                    throw refuse(place, "SQL has no nested collections")
                }
                operands.append(operand)
            }
            return .list(operands)
        default: return .value(try scalar(value, place))
        }
    }

    private mutating func scalar(_ value: ExpressionValue, _ place: Expression) throws(SQLRefusal) -> SQLOperand {
        let operand: SQLOperand? =
            switch value {
            case .null: .null
            case .boolean(let value): SQLOperand(text: value ? "1" : "0", kind: .boolean, bounds: 0...1)
            case .integer(let value): integer(value)
            case .real(let value): SQLOperand(text: parameter(.real(value)), kind: .real)
            case .decimal(let value): decimal(value)
            case .string(let text): SQLOperand(text: parameter(.string(text)), kind: .string)
            case .date(let seconds): SQLOperand(text: parameter(.real(seconds)), kind: .date)
            case .data(let bytes): SQLOperand(text: parameter(.blob(bytes)), kind: .data)
            case .uuid(let bytes): SQLOperand(text: parameter(.blob(bytes)), kind: .uuid)
            case .url(let text): SQLOperand(text: parameter(.string(text)), kind: .url)
            case .array, .set, .object, .className, .host: nil
            }
        guard var operand else { throw refuse(place, "it is \(value.kind)") }
        operand.constant = value
        return operand
    }

    private mutating func integer(_ value: Int64) -> SQLOperand {
        // The lowest integer must be a parameter: its digits without the sign exceed the range.
        let text = value == .min ? parameter(.integer(value)) : value < 0 ? "(\(value))" : "\(value)"
        return SQLOperand(text: text, kind: .integer, bounds: value...value)
    }

    /// Returns the decimal as its column stores it; nil if a real would not be the same number.
    private mutating func decimal(_ value: DecimalNumber) -> SQLOperand? {
        if value.exponent >= 0, let whole = Int64(value.description) {
            return SQLOperand(text: parameter(.integer(whole)), kind: .decimal)
        }
        let real = value.real
        guard let back = DecimalNumber("\(real)"), DecimalNumber.order(back, value) == 0 else { return nil }
        return SQLOperand(text: parameter(.real(real)), kind: .decimal)
    }
}
