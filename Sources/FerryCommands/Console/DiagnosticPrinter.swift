import CommandLineParsing
import PersistentStores
import StoreFleets
import PredicateExpressions
import SQLiteAccess
import StoreMigration

/// Converts errors to a sentence on standard error and an exit status.
enum DiagnosticPrinter {
    static func report(_ error: any Error) -> ExitStatus {
        // Errors of SQLite that no library has converted are converted to an error with a meaning for users.
        if let error = error as? SQLiteError, let path = error.path { return report(StoreError(error, path: path)) }
        // A usage error already begins with the names of the tool and the command.
        Console.note(error is UsageError ? "\(error)\n" : "ferry: \(text(error))\n")
        switch error {
        case is UsageError, is FormatArgumentError: return .usage
        case let error as StoreError: return error.isTemporary ? .temporary : .failed
        case let error as MigrationError: return error.isTemporary ? .temporary : .failed
        case let error as FleetError: return error.isTemporary ? .temporary : .failed
        case let error as FileError: return error.isNoSpace ? .temporary : .failed
        default: return .failed
        }
    }

    private static func text(_ error: any Error) -> String {
        guard let error = error as? EvaluationError else { return "\(error)" }
        return "\(error)\n  " + error.marked.replacing("\n", with: "\n  ")
    }
}
