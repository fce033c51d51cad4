import CommandLineParsing
import PersistentStores
import StoreFleets
import PredicateExpressions
import SQLiteAccess
import StoreMigration

/// Turns errors into a sentence on standard error and an exit status.
enum DiagnosticPrinter {
    static func report(_ error: any Error) -> ExitStatus {
        // What SQLite said without anybody in between has a meaning for people all the same.
        if let error = error as? SQLiteError, let path = error.path { return report(StoreError(error, path: path)) }
        // A usage error begins with the tool and the command already.
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
