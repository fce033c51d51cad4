import Glibc
import PersistentStores

/// Keeps a second run of a shard away, on this machine and on others that share the file system.
final class ShardLock {
    private let descriptor: Int32

    /// False where the file system has no locks: other runs of the shard may be under way.
    let isHeld: Bool

    /// Takes the lock of a file; 0, or the number of the error.
    typealias Locking = @Sendable (_ descriptor: Int32) -> Int32

    static let system: Locking = { flock($0, LOCK_EX | LOCK_NB) == 0 ? 0 : errno }

    /// What a file system says that has no locks.
    private static let withoutLocks: Set<Int32> = [ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL]

    /// Throws `FleetError.shardIsRunning`, and `StoreError` where the file cannot be made.
    init(shard: Int, path: String, by locking: Locking = system) throws {
        // It stays when the run ends: removing it could take it from under a run that waits.
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
        // Closing it would leave the lock to a process that is being started and has the descriptor until it runs its
        // program.
        if isHeld { _ = flock(descriptor, LOCK_UN) }
        close(descriptor)
    }
}
