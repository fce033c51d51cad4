import Glibc
import PersistentStores

/// Keeps a second run of a shard away, on this machine and on others that share the file system.
final class ShardLock {
    private let descriptor: Int32

    /// Throws `FleetError.shardIsRunning`, and `StoreError` where the file cannot be made or the file system has no locks.
    init(shard: Int, path: String) throws {
        // It stays when the run ends: removing it could take it from under a run that waits.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw StoreError(FileError(.create, path)) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = FileError(.lock, path)
            close(descriptor)
            throw error.number == EWOULDBLOCK
                ? FleetError.shardIsRunning(shard, lock: path) as any Error : StoreError(error)
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }
}
