import SQLiteAccess

/// A collection function as an SQL aggregate, with the same code, so that the results are equal.
final class NumberAggregate: SQLAggregate {
    private let function: CollectionFunction
    private var sum = NumberSum()
    /// All elements; sums need only their parts, the others all elements.
    private var elements: [ExpressionValue] = []

    init(_ function: CollectionFunction) {
        self.function = function
    }

    func step(_ arguments: borrowing FunctionArguments) throws {
        let value = arguments.expressionValue(0)
        switch function {
        case .sum, .average: try sum.add(value)
        default: elements.append(value)
        }
    }

    func result() throws -> SQLiteValue {
        switch function {
        case .sum: try sum.total().sqliteValue
        case .average: try sum.average().sqliteValue
        default: try function.apply(.array(elements)).sqliteValue
        }
    }
}
