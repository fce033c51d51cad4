import FoundationEssentials
import Glibc
public import PersistentStores

/// Options for the execution of a plan.
public struct MigrationOptions: Sendable {
    /// The maximum sizes of batches.
    public var limits: BatchLimits

    /// How long to wait for a lock of another process, in milliseconds.
    public var lockTimeout: Int32

    /// Whether every page of the result is checked, whatever its size.
    public var verifiesFully: Bool

    /// Whether to continue the work of a run that was killed, and to keep unfinished work for the next run.
    public var resumes = false

    /// Settings of the resulting file. All other settings are those of the old file.
    public var pragmas = StorePragmas()

    /// The component that writes the tables of a new file.
    public var writer = NewStoreWriter.auto

    /// The number of threads that read and evaluate the rows of tables that are built, each with its own connection. If
    /// it is 1, the migrating thread reads them.
    public var readers = MigrationOptions.fittingReaders

    /// More than four threads read rows faster than they are written.
    private static let mostReaders = 4

    /// The default number of threads. It is computed only once, because counting processors reads system files.
    private static let fittingReaders = min(ProcessInfo.processInfo.activeProcessorCount, mostReaders)

    /// Limits that users need not know; tests change them.
    var fixedLimits = MigrationLimits()

    /// A cache of the schemas of new files. By default it keeps none, so that each migration creates its own.
    var schemas = SchemaMemo(capacity: 0)

    /// Called after every batch, on the migrating thread.
    public var onProgress: (@Sendable (MigrationProgress) -> Void)?

    /// Called between batches and during long statements; if it returns true, the migration ends, and the store is not
    /// changed.
    public var isCancelled: (@Sendable () -> Bool)?

    /// Called at every point where a crash would leave a different state on disk; for tests that kill the process.
    public var onCheckpoint: (@Sendable (String) -> Void)?

    /// Creates options; the default values are those of `ferry migrate`.
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
