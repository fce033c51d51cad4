import KeyedArchives

/// The collection functions, by their selectors, which are also the collection operators of key paths.
///
/// NULL elements are counted, but otherwise skipped, as by SQL's aggregates. For an empty collection, the sum and the
/// count are 0, and all other results are NULL.
enum CollectionFunction: String, CaseIterable {
    case count = "count:"
    case sum = "sum:"
    case average = "average:"
    case minimum = "min:"
    case maximum = "max:"
    case median = "median:"
    /// All most frequent elements.
    case mode = "mode:"
    /// The standard deviation of the whole population.
    case standardDeviation = "stddev:"
    case distinct = "distinct:"
    case first = "first:"
    case last = "last:"

    /// Makes the function for the operator of a key path, such as `@sum`; nil if there is none. `@unionOf...` returns
    /// the elements unchanged: nested collections are already flattened.
    init?(keyPathOperator name: String) {
        switch name {
        case "@count": self = .count
        case "@sum": self = .sum
        case "@avg": self = .average
        case "@min": self = .minimum
        case "@max": self = .maximum
        case "@distinctUnionOfObjects", "@distinctUnionOfArrays", "@distinctUnionOfSets": self = .distinct
        default: return nil
        }
    }

    /// Returns the result. NULL is an empty collection, and a single value is a collection of one.
    func apply(_ value: ExpressionValue) throws(EvaluationFault) -> ExpressionValue {
        let elements =
            switch value {
            case .null: [] as [ExpressionValue]
            case .array(let elements), .set(let elements): elements
            default: [value]
            }
        switch self {
        case .count: return .integer(Int64(elements.count))
        case .sum: return try Self.sum(of: elements).total()
        case .average: return try Self.sum(of: elements).average()
        case .minimum: return try Self.extreme(elements, order: -1)
        case .maximum: return try Self.extreme(elements, order: 1)
        case .median: return try Self.median(elements)
        case .mode: return .array(Self.mode(elements))
        case .standardDeviation: return try Self.standardDeviation(elements)
        case .distinct:
            let distinct = Self.distinct(elements)
            if case .array = value { return .array(distinct) }
            return .set(distinct)
        case .first: return elements.first ?? .null
        case .last: return elements.last ?? .null
        }
    }

    /// Returns the elements without duplicates, in the order of their first occurrences.
    static func distinct(_ elements: [ExpressionValue]) -> [ExpressionValue] {
        var known: Set<DistinctKey> = []
        return elements.filter { known.insert(DistinctKey($0)).inserted }
    }

    private static func mode(_ elements: [ExpressionValue]) -> [ExpressionValue] {
        var counts: [DistinctKey: Int] = [:]
        for element in elements where !element.isNull {
            counts[DistinctKey(element), default: 0] += 1
        }
        let highest = counts.values.max() ?? 0
        return distinct(elements).filter { !$0.isNull && counts[DistinctKey($0)] == highest }
    }

    private static func sum(of elements: [ExpressionValue]) throws(EvaluationFault) -> NumberSum {
        var sum = NumberSum()
        for element in elements {
            try sum.add(element)
        }
        return sum
    }

    private static func median(_ elements: [ExpressionValue]) throws(EvaluationFault) -> ExpressionValue {
        let sorted = try numbers(elements).sorted { (NumberValue.order($0, $1) ?? 0) < 0 }
        guard !sorted.isEmpty else { return .null }
        let middle = sorted.count / 2
        return .real(sorted.count % 2 == 1 ? sorted[middle].real : (sorted[middle - 1].real + sorted[middle].real) / 2)
    }

    private static func standardDeviation(
        _ elements: [ExpressionValue]
    ) throws(EvaluationFault) -> ExpressionValue {
        let values = try numbers(elements).map(\.real)
        guard !values.isEmpty else { return .null }
        let mean = sum(values) / Double(values.count)
        let result = (sum(values.map { ($0 - mean) * ($0 - mean) }) / Double(values.count)).squareRoot()
        return result.isNaN ? .null : .real(result)
    }

    private static func sum(_ values: [Double]) -> Double {
        var sum = ExactSum()
        for value in values {
            sum.add(value)
        }
        return sum.value
    }

    private static func extreme(
        _ elements: [ExpressionValue], order wanted: Int
    ) throws(EvaluationFault) -> ExpressionValue {
        var result = ExpressionValue.null
        for element in elements where !element.isNull {
            if result.isNull {
                result = element
            } else if try ValueComparison.order(element, result) == wanted {
                result = element
            }
        }
        return result
    }

    private static func numbers(_ elements: [ExpressionValue]) throws(EvaluationFault) -> [NumberValue] {
        var numbers: [NumberValue] = []
        numbers.reserveCapacity(elements.count)
        for element in elements where !element.isNull {
            guard let number = NumberValue(element) else {
                throw EvaluationFault(.typeMismatch, "the collection has \(element.kind) in it, which is not a number")
            }
            numbers.append(number)
        }
        return numbers
    }
}
