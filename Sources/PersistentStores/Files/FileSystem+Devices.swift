import Glibc

extension FileSystem {
    /// The number of the device that a path is on; nil if there is no such path.
    public static func device(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_dev) : nil
    }
}
