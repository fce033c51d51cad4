import KeyedArchives
import SQLiteAccess

/// The exact sum or average of a column of decimals, as text.
final class DecimalAggregate: SQLAggregate {
    private let isAverage: Bool
    private var sum = NumberSum()

    init(isAverage: Bool) {
        self.isAverage = isAverage
    }

    func step(_ arguments: borrowing FunctionArguments) throws {
        // The shortest text of a double is the decimal that was stored.
        let text = arguments.storageClass(0) == .real ? "\(arguments.real(0))" : arguments.string(0)
        guard !arguments.isNull(0), let value = DecimalNumber(text), !value.isNotANumber else { return }
        try sum.add(.decimal(value))
    }

    func result() throws -> SQLiteValue { try (isAverage ? sum.average() : sum.total()).sqliteValue }
}
