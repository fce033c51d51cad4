import CommandLineParsing
import StoreImport

/// A number of objects, or a percentage of the existing ones: 25, 5%.
struct DeleteLimitArgument: ArgumentValue {
    let limit: DeleteLimit

    init?(argument: String) {
        let isPercent = argument.last == "%"
        guard let number = Int64(isPercent ? argument.dropLast() : argument[...]), number >= 0 else { return nil }
        limit = isPercent ? .percent(number) : .count(number)
    }

    var argument: String {
        switch limit {
        case .careful: ""
        case .count(let count): String(count)
        case .percent(let percent): "\(percent)%"
        }
    }

    static var expectation: String { "a number of objects such as 25, or of all of them such as 5%" }
}
