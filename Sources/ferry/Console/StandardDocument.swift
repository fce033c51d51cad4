import CommandLineParsing

/// What a command writes to standard output: one document for others to read, or else what it says to people.
struct StandardDocument {
    /// Whether an option has standard output; people read standard error then.
    let isTaken: Bool

    /// - Parameters:
    ///   - places: the options whose documents may go to standard output, with their paths.
    ///   - others: what else has standard output, and whether it does.
    /// - Throws: `UsageError` if two documents would be mixed.
    init(
        _ places: [(option: String, path: String?)], _ others: [(what: String, isThere: Bool)] = []
    ) throws(UsageError) {
        let taking =
            places.filter { $0.path == CommandOutput.standard }.map { "\($0.option) -" }
            + others.filter(\.isThere).map(\.what)
        if taking.count > 1, places.contains(where: { $0.path == CommandOutput.standard }) {
            throw .conflict(taking[0], with: taking[1])
        }
        isTaken = places.contains { $0.path == CommandOutput.standard }
    }

    /// Says something to people.
    func say(_ text: String) {
        if isTaken { Console.note(text) } else { Console.print(text) }
    }
}
