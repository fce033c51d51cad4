import Glibc
import PersistentStores

/// Prevents a second run of a shard, on this machine and on others that share the file system.
final class ShardLock {
    private let descriptor: Int32

    /// False if the file system has no locks: other runs of the shard may be in progress.
    let isHeld: Bool

    /// Acquires the lock of a file; returns 0 or the error number.
    typealias Locking = @Sendable (_ descriptor: Int32) -> Int32

    static let system: Locking = { flock($0, LOCK_EX | LOCK_NB) == 0 ? 0 : errno }

    /// The error numbers of file systems without locks.
    private static let withoutLocks: Set<Int32> = [ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL]

    /// Throws `FleetError.shardIsRunning`, and `StoreError` if the file cannot be made.
    init(shard: Int, path: String, by locking: Locking = system) throws {
        // The file stays when the run ends: removing it could take it away from a run that waits for it.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw StoreError(FileError(.create, path)) }
        let number = locking(descriptor)
        guard number == 0 || Self.withoutLocks.contains(number) else {
            close(descriptor)
            throw number == EWOULDBLOCK
                ? FleetError.shardIsRunning(shard, lock: path) as any Error
                : StoreError(FileError(.lock, path, number: number))
        }
        self.descriptor = descriptor
        isHeld = number == 0
    }

    deinit {
        // If the descriptor were only closed, a process that is being started would keep the lock until it executes its
        // program.
        if isHeld { _ = flock(descriptor, LOCK_UN) }
        close(descriptor)
    }
}
