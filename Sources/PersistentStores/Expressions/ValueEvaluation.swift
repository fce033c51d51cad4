import PredicateExpressions
import SQLiteAccess

/// Evaluates a function for one row after the other, and reuses the memory of the previous row.
final class ValueEvaluation: RecordFunction {
    private let function: ValueFunction
    private let isWatched: Bool
    /// For each argument, whether the expression also sees a text as a string.
    private let isText: [Bool]
    @exclusivity(unchecked) private var context: RecordContext

    init(_ function: ValueFunction) {
        self.function = function
        isWatched = function.noteLoss != nil
        isText = function.arguments.map { argument in
            switch argument.value.kind {
            case .decimal, .url: false
            default: !argument.isCollection
            }
        }
        context = RecordContext(now: function.now)
    }

    func addNull() { add(.null) }
    func add(_ value: Int64) { add(.integer(value)) }
    func add(_ value: Double) { add(.real(value)) }
    func add(blob: Span<UInt8>) { add(.blob(blob.withUnsafeBufferPointer { Array($0) })) }

    func add(text: Span<UInt8>) {
        if isText[context.values.count] {
            context.values.append(.string(text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }))
        } else {
            add(.text(text.withUnsafeBufferPointer { Array($0) }))
        }
    }

    private func add(_ value: SQLiteValue) {
        let argument = function.arguments[context.values.count]
        let kind = argument.kind(of: value)
        context.values.append(
            argument.isCollection
                ? .array(PackedValues.unpacked(value).map { ExpressionValue(stored: $0, kind: kind) })
                : ExpressionValue(stored: value, kind: kind))
    }

    /// Returns the value of the expression for the arguments that were added since the last call.
    func value() throws -> ExpressionValue {
        defer { context.values.removeAll(keepingCapacity: true) }
        return try function.program.evaluate(in: context)
    }

    func result() throws -> SQLiteValue {
        let value = try value()
        if isWatched, NumberLoss(of: value, as: function.type) != nil { function.noteLoss?() }
        guard let stored = ValueFunction.stored(value, as: function.type) else {
            throw ValueFunctionError(
                subject: function.subject, kind: value.kind, type: function.type,
                isTooLarge: NumberLoss(of: value, as: function.type) == .range)
        }
        return stored
    }
}
