import FoundationEssentials
import Glibc
public import PersistentStores

/// How a plan is executed.
public struct MigrationOptions: Sendable {
    /// The sizes of batches.
    public var limits: BatchLimits

    /// How long to wait for another process' lock, in milliseconds.
    public var lockTimeout: Int32

    /// Whether SQLite checks every page of the result, whatever its size.
    public var verifiesFully: Bool

    /// Whether to go on with what a killed run has left, and to leave what the next one can go on with.
    public var resumes = false

    /// Settings that the resulting file is to have; it keeps the old one's others.
    public var pragmas = StorePragmas()

    /// What writes the tables of a new file.
    public var writer = NewStoreWriter.auto

    /// How many threads read and evaluate the rows of tables that are built, each with a connection of its own; 1 for
    /// none but the migrating one.
    public var readers = MigrationOptions.fittingReaders

    /// More than four are faster than what writes.
    private static let mostReaders = 4

    /// Counting processors reads files of the system.
    private static let fittingReaders = min(ProcessInfo.processInfo.activeProcessorCount, mostReaders)

    /// The limits that no one has to know of; tests set them.
    var fixedLimits = MigrationLimits()

    /// The schemas that were made before; a migration of one store makes its own.
    var schemas = SchemaMemo(capacity: 0)

    /// Called after every batch, on the migrating thread.
    public var onProgress: (@Sendable (MigrationProgress) -> Void)?

    /// Asked between batches and during long statements; true ends the migration and leaves the store as it was.
    public var isCancelled: (@Sendable () -> Bool)?

    /// Called at every point where a crash would leave something different on disk; for tests that kill the process.
    public var onCheckpoint: (@Sendable (String) -> Void)?

    /// Makes options; what is not given is as with `ferry migrate`.
    public init(
        limits: BatchLimits = BatchLimits(), lockTimeout: Int32 = LockTimeout.milliseconds, verifiesFully: Bool = false,
        onProgress: (@Sendable (MigrationProgress) -> Void)? = nil, isCancelled: (@Sendable () -> Bool)? = nil,
        onCheckpoint: (@Sendable (String) -> Void)? = nil
    ) {
        self.limits = limits
        self.lockTimeout = lockTimeout
        self.verifiesFully = verifiesFully
        self.onProgress = onProgress
        self.isCancelled = isCancelled
        self.onCheckpoint = onCheckpoint
    }
}
