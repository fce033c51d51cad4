import CommandLineParsing

/// `CLASS=default`: what is done for a policy class that a mapping model names.
struct PolicyArgument: ArgumentValue {
    let className: String

    static let expectation = "CLASS=default"

    init?(argument: String) {
        guard argument.hasSuffix("=default"), argument.count > "=default".count else { return nil }
        className = String(argument.dropLast("=default".count))
    }

    var argument: String { className + "=default" }
}
