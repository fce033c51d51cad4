import ManagedObjectModels
import PersistentStores
import SQLiteAccess

extension MigrationRun {
    /// Validates a result whose source is attached as `source`; findings that do not refuse it are recorded.
    ///
    /// Throws `MigrationError.Code.invalid` if the migration must be refused.
    func validate(_ validation: ResultValidation, path: String) throws {
        validation.connection.onProgress(everyInstructions: 100_000, options.isCancelled)
        defer { validation.connection.onProgress(everyInstructions: 0, nil) }
        let found = try timed("validating") { try validation.findings() }
        guard !found.contains(where: { $0.severity == .error }) else {
            throw MigrationError(.invalid(found), path: path)
        }
        findings += found
    }
}
