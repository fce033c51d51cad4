import Glibc

extension FileSystem {
    /// Returns the number of the device that a path is on; nil if the path does not exist.
    public static func device(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_dev) : nil
    }
}
