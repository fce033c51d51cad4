import CommandLineParsing

/// `I/N`: the shard I of N, counted from 1.
struct ShardArgument: ArgumentValue {
    let number: Int
    let count: Int

    static let expectation = "I/N with 1 <= I <= N"

    init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]), number >= 1, number <= count
        else { return nil }
        (self.number, self.count) = (number, count)
    }

    var argument: String { "\(number)/\(count)" }
}
