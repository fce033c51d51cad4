import Glibc

/// File operations that stores need, with errors that name the file.
public enum FileSystem {
    /// Returns whether something exists at a path; links are followed.
    public static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// Returns why a path cannot be reached: it does not exist, or its file system, a folder or a link is at fault; nil
    /// if it can.
    public static func fault(at path: String) -> FileError? {
        var status = stat()
        return stat(path, &status) == 0 ? nil : FileError(.inspect, path)
    }

    /// Returns what prevents a database at a path from being opened, or files from being made next to it; nil if
    /// nothing is known to.
    static func obstacle(to path: String) -> FileError? {
        if let fault = fault(at: directory(of: path)) { return fault }
        if isThere(path), access(path, R_OK) != 0 { return FileError(.open, path) }
        return access(directory(of: path), W_OK) == 0 ? nil : FileError(.write, directory(of: path))
    }

    /// Returns whether a name is taken, including by a link that leads nowhere.
    public static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Returns whether there is a folder at a path; links are followed.
    public static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns whether the path itself is a symbolic link.
    public static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Returns the size in bytes; nil if the file does not exist.
    public static func size(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// Returns how many hard links a file has; nil if it does not exist.
    public static func linkCount(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_nlink) : nil
    }

    /// Returns whether a file can be read, but no file can be made beside it.
    static func isReadableOnly(_ path: String) -> Bool {
        access(path, R_OK) == 0 && access(directory(of: path), W_OK) != 0
    }

    /// Returns whether a file can be written, and files can be made beside it.
    static func isWritable(_ path: String) -> Bool {
        access(path, W_OK) == 0 && access(directory(of: path), W_OK) == 0
    }

    /// Returns how many bytes this user can still write on the file system of a path; nil if that is unknown.
    public static func freeSpace(_ path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    }

    /// Returns whether two paths lead to the same file.
    public static func isSameFile(_ left: String, _ right: String) -> Bool {
        var first = stat()
        var second = stat()
        guard stat(left, &first) == 0, stat(right, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Returns the path with links resolved; the path itself if it does not exist.
    public static func resolvingLinks(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns the absolute path, without resolving links.
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

    /// Returns the names in a folder, sorted, without `.` and `..`.
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

    /// Creates a folder and its missing parent folders.
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

    /// Removes a file, or a folder with everything in it. A missing file is not an error.
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

    /// Returns whether a folder exists and contains nothing but folders that are empty in the same sense.
    static func isEmptyFolder(_ folder: String) throws(FileError) -> Bool {
        guard isDirectory(folder), !isLink(folder) else { return false }
        for name in try names(in: folder) where try !isEmptyFolder(folder + "/" + name) { return false }
        return true
    }

    /// Removes the empty folders in a folder, and the folder itself if it holds nothing else. Returns whether it no
    /// longer exists.
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

    /// Returns all files below a folder, including those in its subfolders; an empty list if the folder does not exist.
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

    /// Renames a file or folder; an existing destination file is replaced atomically.
    /// - Throws: `FileError` if the system cannot rename it, for example to another file system.
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
    /// - Returns: the error because of which they may not be; nil if they are.
    static func durabilityProblem(ofEntriesIn folder: String) -> FileError? {
        do throws(FileError) {
            try synchronize(folder)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the folder that a path is in: `.` for a bare name.
    public static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the last part of a path.
    public static func name(of path: String) -> String {
        var trimmed = Substring(path)
        while trimmed.count > 1 && trimmed.last == "/" { trimmed.removeLast() }
        return trimmed.lastIndex(of: "/").map { String(trimmed[trimmed.index(after: $0)...]) } ?? String(trimmed)
    }
}
