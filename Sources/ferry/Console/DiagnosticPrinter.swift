import CommandLineParsing
import PersistentStores
import StoreMigration

/// Turns errors into a sentence on standard error and an exit status.
enum DiagnosticPrinter {
    static func report(_ error: any Error) -> ExitStatus {
        Console.note("ferry: \(error)\n")
        switch error {
        case is UsageError: return .usage
        case let error as StoreError: return error.isTemporary ? .temporary : .failed
        case let error as MigrationError: return error.isTemporary ? .temporary : .failed
        default: return .failed
        }
    }
}
