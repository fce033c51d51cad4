import CommandLineParsing

/// A command's standard output: either a single document for other programs, or messages for users.
struct StandardDocument {
    /// Whether an option uses standard output; messages then go to standard error.
    let isTaken: Bool

    /// - Parameters:
    ///   - places: the options whose documents may go to standard output, with their paths.
    ///   - others: descriptions of other output, and whether it goes to standard output.
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

    /// Prints a message for users.
    func say(_ text: String) {
        if isTaken { Console.note(text) } else { Console.print(text) }
    }
}
