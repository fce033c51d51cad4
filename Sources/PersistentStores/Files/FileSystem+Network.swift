import Glibc

extension FileSystem {
    /// File systems of the network, or of another program, whose locks other machines may not see.
    private static let withoutLocks = [
        "nfs", "cifs", "smb", "fuse", "9p", "ceph", "afs", "ncpfs", "coda", "glusterfs", "virtiofs", "lustre", "gpfs",
        "beegfs", "ocfs2", "gfs2", "pvfs2", "panfs",
    ]

    /// The most bytes of the list of mounts that are read.
    private static let maximumMounts = 4 << 20

    /// Returns the type of the file system that a path is on, if its locks may not work; nil if they do, or if the type
    /// is unknown.
    public static func networkFileSystem(_ path: String) -> String? {
        guard let device = device(path),
            let bytes = try? FileBytes.beginning(of: "/proc/self/mountinfo", count: maximumMounts)
        else { return nil }
        let major = (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000
        let minor = device & 0xFF | (device >> 12) & 0xFFFF_FF00
        // 36 35 98:0 /root /mount/point options... - type source options
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 4, words[2] == "\(major):\(minor)", let dash = words.firstIndex(of: "-"),
                dash + 1 < words.count
            else { continue }
            let kind = words[dash + 1].lowercased()
            return withoutLocks.contains { kind.hasPrefix($0) } ? kind : nil
        }
        return nil
    }
}
