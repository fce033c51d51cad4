import Glibc

/// The owner, group and permissions of a file or folder: new files beside a store get those of the store, as far as
/// this user may set them.
public struct FileRights: Sendable, Equatable {
    private let owner: uid_t
    private let group: gid_t
    private let permissions: mode_t

    /// Reads the rights of a file or a folder; nil if it does not exist.
    public init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Leaves out the set-user-ID, set-group-ID and sticky bits, which do not control access to data.
    init(_ status: stat) {
        self.init(owner: status.st_uid, group: status.st_gid, permissions: status.st_mode & 0o777)
    }

    private init(owner: uid_t, group: gid_t, permissions: mode_t) {
        self.owner = owner
        self.group = group
        self.permissions = permissions
    }

    /// The rights of a folder for such files: whoever may read the files may search it, and its owner may change it.
    public var forFolder: FileRights {
        FileRights(owner: owner, group: group, permissions: permissions | (permissions & 0o444) >> 2 | 0o300)
    }

    /// Returns those of the rights that an open file lacks.
    func missing(in descriptor: Int32) -> [FileAttribute] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return FileAttribute.allCases }
        let given = FileRights(status)
        return FileAttribute.allCases.filter { attribute in
            switch attribute {
            case .owner: given.owner != owner
            case .group: given.group != group
            case .permissions: given.permissions != permissions
            }
        }
    }

    /// Sets the rights of a file or a folder; the target of a link is not changed.
    public func give(to path: String) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        give(to: descriptor)
    }

    /// Sets the rights of an open file.
    public func give(to descriptor: Int32) {
        // Separately, because a user may often change the group, but seldom the owner.
        if fchown(descriptor, owner, group) != 0 { _ = fchown(descriptor, uid_t.max, group) }
        _ = fchmod(descriptor, permissions)
    }

    /// Sets the rights of a folder and everything in it.
    /// - Throws: `FileError` if a folder cannot be listed; rights that this user may not set are skipped.
    public func give(toAllIn folder: String) throws(FileError) {
        for name in try FileSystem.names(in: folder) {
            let path = folder + "/" + name
            if FileSystem.isLink(path) { continue }
            if FileSystem.isDirectory(path) { try give(toAllIn: path) } else { give(to: path) }
        }
        forFolder.give(to: folder)
    }
}
