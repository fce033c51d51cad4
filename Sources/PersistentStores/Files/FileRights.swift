import Glibc

/// Who may do what with a file or a folder: what is made beside a store gets the store's, as far as this user may give
/// them.
public struct FileRights: Sendable, Equatable {
    private let owner: uid_t
    private let group: gid_t
    private let permissions: mode_t

    /// Reads the rights of a file or a folder; nil if there is none.
    public init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The bits that run a program as somebody else say nothing of data, and are left out.
    init(_ status: stat) {
        self.init(owner: status.st_uid, group: status.st_gid, permissions: status.st_mode & 0o777)
    }

    private init(owner: uid_t, group: gid_t, permissions: mode_t) {
        self.owner = owner
        self.group = group
        self.permissions = permissions
    }

    /// Those of a folder for such files: whoever may read them may search it too, and its owner may change it.
    public var forFolder: FileRights {
        FileRights(owner: owner, group: group, permissions: permissions | (permissions & 0o444) >> 2 | 0o300)
    }

    /// Which of them an open file does not have.
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

    /// Gives them to a file or a folder; what a link leads to stays as it is.
    public func give(to path: String) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        give(to: descriptor)
    }

    /// Gives them to an open file.
    public func give(to descriptor: Int32) {
        // One by one: a user may often give a group, and seldom an owner.
        if fchown(descriptor, owner, group) != 0 { _ = fchown(descriptor, uid_t.max, group) }
        _ = fchmod(descriptor, permissions)
    }

    /// Gives them to a folder and all in it.
    /// - Throws: `FileError` if a folder cannot be listed; rights that this user may not give are skipped.
    public func give(toAllIn folder: String) throws(FileError) {
        for name in try FileSystem.names(in: folder) {
            let path = folder + "/" + name
            if FileSystem.isLink(path) { continue }
            if FileSystem.isDirectory(path) { try give(toAllIn: path) } else { give(to: path) }
        }
        forFolder.give(to: folder)
    }
}
