import PersistentStores
import SQLiteAccess

/// Processes copies of stores that commands fetch and take back, from and to object storage or other machines.
struct StoreStaging: Sendable {
    let fetch: StagingCommand?
    let store: StagingCommand?

    /// The folder for the copies; nil for that for temporary files.
    let folder: String?

    /// Fetches the store, processes it, and takes it back if it has changed; then removes the copy.
    ///
    /// - Throws: `CancellationError`; errors of the store or the commands are in the result.
    func withStore(
        _ planned: FleetStore, isCancelled: (@Sendable () -> Bool)?, _ work: (FleetStore) throws -> StoreResult
    ) throws -> StoreResult {
        guard let fetch else { return try work(planned) }
        do {
            let copies = try TemporaryFolder(kind: "ferry-fleet-", in: folder)
            let path = copies.path + "/" + StagingCommand.file(planned.path)
            try fetch.run(for: planned.path, in: copies.path, reason: "fetch", isCancelled: isCancelled)
            let before = StoreFingerprint(of: StoreFiles(path), isSettled: true)
            var result = try work(planned.staged(at: path))
            if let failure = result.failure {
                // Users do not know the path of the copy.
                result.failure = failure.naming(planned.path, insteadOf: path)
            } else if let store, StoreFingerprint(of: StoreFiles(path)) != before {
                try store.run(for: planned.path, in: copies.path, reason: "store", isCancelled: isCancelled)
            }
            return result
        } catch let error as CancellationError {
            throw error
        } catch {
            var result = StoreResult()
            result.failure = StoreFailure(error)
            return result
        }
    }
}
