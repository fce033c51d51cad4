import KeyedArchives

/// The sum and the average of numbers, independent of their order.
struct NumberSum {
    private var integers: Int128 = 0
    private var reals = ExactSum()
    private var hasReal = false
    private var decimal: DecimalNumber?
    private var count: Int64 = 0

    /// Adds an element; NULL is skipped.
    mutating func add(_ value: ExpressionValue) throws(EvaluationFault) {
        if value.isNull { return }
        guard let number = NumberValue(value) else {
            throw EvaluationFault(.typeMismatch, "the collection has \(value.kind) in it, which is not a number")
        }
        count += 1
        switch number {
        case .integer(let value): integers += Int128(value)
        case .real(let value):
            hasReal = true
            reals.add(value)
        case .decimal(let value): decimal = try .sum(decimal ?? DecimalNumber(0), value)
        }
    }

    /// Returns the sum: 0 for no elements, an integer for integers, a decimal if any element is one, otherwise a real.
    func total() throws(EvaluationFault) -> ExpressionValue {
        if let decimal { return .decimal(try self.decimal(decimal)) }
        if hasReal {
            let sum = real
            return sum.isNaN ? .null : .real(sum)
        }
        guard let sum = Int64(exactly: integers) else {
            throw EvaluationFault(.overflow, "the sum does not fit an integer of 64 bits")
        }
        return .integer(sum)
    }

    /// Returns the average; NULL for no elements.
    func average() throws(EvaluationFault) -> ExpressionValue {
        guard count > 0 else { return .null }
        if let decimal { return .decimal(try .quotient(self.decimal(decimal), DecimalNumber(count))) }
        let sum = real
        return sum.isNaN ? .null : .real(sum / Double(count))
    }

    private var real: Double {
        var sum = reals
        if integers != 0 { sum.add(Double(integers)) }
        return sum.value
    }

    private func decimal(_ decimals: DecimalNumber) throws(EvaluationFault) -> DecimalNumber {
        guard let whole = DecimalNumber("\(integers)") else {
            throw EvaluationFault(.overflow, "the sum has more digits than a decimal number can have")
        }
        let sum = try DecimalNumber.sum(decimals, whole)
        return hasReal ? try .sum(sum, NumberValue.real(reals.value).decimal()) : sum
    }
}
