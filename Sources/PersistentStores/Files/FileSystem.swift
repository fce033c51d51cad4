import Glibc

/// The few operations on files that stores need, with errors that name the file.
public enum FileSystem {
    /// Whether there is something at a path, links followed.
    public static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// Why a path cannot be reached: it is not there, or its file system, a folder or a link is at fault; nil if it
    /// can.
    public static func fault(at path: String) -> FileError? {
        var status = stat()
        return stat(path, &status) == 0 ? nil : FileError(.inspect, path)
    }

    /// What keeps a database at a path from being opened, or files from being made next to it; nil if nothing known does.
    static func obstacle(to path: String) -> FileError? {
        if let fault = fault(at: directory(of: path)) { return fault }
        if isThere(path), access(path, R_OK) != 0 { return FileError(.open, path) }
        return access(directory(of: path), W_OK) == 0 ? nil : FileError(.write, directory(of: path))
    }

    /// Whether a name is taken, be it by a link that leads nowhere.
    public static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether there is a folder at a path, links followed.
    public static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether the path itself is a symbolic link.
    public static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// The size in bytes; nil if there is no such file.
    public static func size(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// How many names a file has; nil if there is none.
    public static func linkCount(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_nlink) : nil
    }

    /// Whether a file can be read, and no file can be made beside it.
    static func isReadableOnly(_ path: String) -> Bool {
        access(path, R_OK) == 0 && access(directory(of: path), W_OK) != 0
    }

    /// Whether a file can be written, and files can be made beside it.
    static func isWritable(_ path: String) -> Bool {
        access(path, W_OK) == 0 && access(directory(of: path), W_OK) == 0
    }

    /// How many bytes this user can still write on the file system of a path; nil if it does not say.
    public static func freeSpace(_ path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    }

    /// Whether two paths lead to the same file.
    public static func isSameFile(_ left: String, _ right: String) -> Bool {
        var first = stat()
        var second = stat()
        guard stat(left, &first) == 0, stat(right, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// The path with links resolved; the path itself where it does not exist.
    public static func resolvingLinks(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The path from the root, with no link resolved.
    public static func absolute(_ path: String) -> String {
        var whole = path
        if !path.hasPrefix("/"), let folder = getcwd(nil, 0) {
            defer { free(folder) }
            whole = String(cString: folder) + "/" + path
        }
        var parts: [Substring] = []
        for part in whole.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// The names in a folder, sorted; `.` and `..` left out.
    /// - Throws: `FileError` if the folder cannot be opened.
    public static func names(in directory: String) throws(FileError) -> [String] {
        guard let stream = opendir(directory) else { throw FileError(.list, directory) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Creates a folder and the missing ones above it.
    /// - Throws: `FileError` if a folder cannot be made.
    public static func createDirectory(_ path: String) throws(FileError) {
        if isDirectory(path) { return }
        let parent = directory(of: path)
        if parent != path && !isDirectory(parent) { try createDirectory(parent) }
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw FileError(.create, path) }
    }

    /// Creates a folder that only this user can enter; its parent must exist.
    /// - Throws: `FileError` if the folder exists, or cannot be made.
    public static func createPrivateDirectory(_ path: String) throws(FileError) {
        guard mkdir(path, 0o700) == 0 else { throw FileError(.create, path) }
    }

    /// Removes a file, or a folder with all in it. No error if there is none.
    /// - Throws: `FileError` if something cannot be removed.
    public static func remove(_ path: String) throws(FileError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw FileError(.remove, path)
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            for name in try names(in: path) {
                try remove(path + "/" + name)
            }
            guard rmdir(path) == 0 || errno == ENOENT else { throw FileError(.remove, path) }
        } else {
            guard unlink(path) == 0 || errno == ENOENT else { throw FileError(.remove, path) }
        }
    }

    /// Whether there is a folder with nothing but such folders in it.
    static func isEmptyFolder(_ folder: String) throws(FileError) -> Bool {
        guard isDirectory(folder), !isLink(folder) else { return false }
        for name in try names(in: folder) where try !isEmptyFolder(folder + "/" + name) { return false }
        return true
    }

    /// Removes a folder whose files have gone, with the folders in it. Returns whether it is gone: false if something
    /// else is in it.
    static func removeEmpty(_ folder: String) throws(FileError) -> Bool {
        guard isThere(folder) else { return true }
        guard isDirectory(folder), !isLink(folder) else { return false }
        var isEmpty = true
        for name in try names(in: folder) where try !removeEmpty(folder + "/" + name) { isEmpty = false }
        guard isEmpty else { return false }
        guard rmdir(folder) == 0 || errno == ENOENT else {
            if errno == ENOTEMPTY || errno == EEXIST { return false }
            throw FileError(.remove, folder)
        }
        return true
    }

    /// All files below a folder, those in its folders included; none where there is no such folder.
    static func files(below folder: String) throws(FileError) -> [String] {
        guard isDirectory(folder), !isLink(folder) else { return [] }
        var files: [String] = []
        for name in try names(in: folder) {
            let path = folder + "/" + name
            if isDirectory(path), !isLink(path) {
                files += try self.files(below: path)
            } else {
                files.append(path)
            }
        }
        return files
    }

    /// Renames within a file system; an existing destination file is replaced at once or not at all.
    /// - Throws: `FileError` if the system does not rename it, as to another file system.
    public static func rename(_ source: String, to destination: String) throws(FileError) {
        guard Glibc.rename(source, destination) == 0 else { throw FileError(.rename, source) }
    }

    /// Waits until a file's bytes, or a folder's entries, are on the device.
    /// - Throws: `FileError` if the file cannot be opened, or the device fails.
    public static func synchronize(_ path: String) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(.open, path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileError(.synchronize, path) }
    }

    /// Waits until the entries of a folder are on the device.
    ///
    /// - Returns: why they may not be; nil if they are.
    static func durabilityProblem(ofEntriesIn folder: String) -> FileError? {
        do throws(FileError) {
            try synchronize(folder)
            return nil
        } catch {
            return error
        }
    }

    /// The folder that a path is in: `.` for a bare name.
    public static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of a path.
    public static func name(of path: String) -> String {
        var trimmed = Substring(path)
        while trimmed.count > 1 && trimmed.last == "/" { trimmed.removeLast() }
        return trimmed.lastIndex(of: "/").map { String(trimmed[trimmed.index(after: $0)...]) } ?? String(trimmed)
    }
}
