import CommandLineParsing
import FoundationEssentials
import SQLiteAccess

/// `--sql-debug` and `FERRY_SQLDEBUG`: the statements that a command runs, on standard error.
enum SQLDebug {
    static let flag = CommonFlag(
        "sql-debug", within: 1...3, placeholder: "LEVEL",
        "Show SQL on standard error: 1 statements, 2 also times and rows, 3 also values.", set: start)

    static let variable = EnvironmentVariable(
        "FERRY_SQLDEBUG", "The level of --sql-debug, which counts more: 1, 2 or 3.")

    /// Starts debugging as the environment specifies. Throws `UsageError` for values that are not a level.
    static func startAsEnvironmentSays() throws(UsageError) {
        guard let text = ProcessInfo.processInfo.environment[variable.name], !text.isEmpty else { return }
        guard let number = Int(text), StatementTrace.Level(rawValue: number) != nil else {
            throw .badValue(text, of: variable.name, expected: "1, 2 or 3")
        }
        start(number)
    }

    private static func start(_ number: Int) {
        guard let level = StatementTrace.Level(rawValue: number) else { return }
        StatementTrace.start(level) { Console.note($0 + "\n") }
    }
}
