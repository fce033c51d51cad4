private import Glibc
import PersistentStores

/// The files that this process has open beside a store.
public enum StagedFiles {
    /// Returns the bytes of the files that are open for writing in the folder of a store, when they do not become fewer:
    /// a thread may still be about to let go of some.
    /// - Parameter path: the path of the store.
    public static func openBytes(beside path: String) -> Int64 {
        var bytes: Int64 = 0
        for _ in 0..<6000 {
            let space = StagingSpace(beside: path)
            space.measure()
            bytes = space.peak
            if bytes == 0 { break }
            usleep(10_000)
        }
        return bytes
    }
}
