import Glibc

/// A file or a folder that is made beside its final place and renamed there when it is whole.
///
/// A run that was killed leaves it behind; the next one removes it. While a run lives it holds an advisory lock on the
/// folder in which everything is staged.
public final class StagedOutput {
    private let destination: String
    private let staging: String
    private let descriptor: Int32

    /// Makes the staging folder.
    ///
    /// Throws `FileError` with `EEXIST` where the destination exists and is not to be replaced, and `EWOULDBLOCK` where
    /// another run is writing the same destination.
    public init(for destination: String, replacing: Bool) throws(FileError) {
        var destination = destination
        while destination.count > 1, destination.hasSuffix("/") { destination.removeLast() }
        if !replacing, FileSystem.exists(destination) || FileSystem.isLink(destination) {
            throw FileError(.create, destination, number: EEXIST)
        }
        self.destination = destination
        staging = FileSystem.directory(of: destination) + "/." + FileSystem.name(of: destination) + ".ferry-staging"
        guard mkdir(staging, 0o777) == 0 || errno == EEXIST else { throw FileError(.create, staging) }
        let opened = open(staging, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { throw FileError(.open, staging) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let error = FileError(.lock, staging)
            close(opened)
            throw error
        }
        descriptor = opened
        // A run that was killed between two renames: the old one gets its name back.
        if !FileSystem.exists(destination), FileSystem.exists(former) { try FileSystem.rename(former, to: destination) }
        for name in try FileSystem.names(in: staging) { try FileSystem.remove(staging + "/" + name) }
        if !replacing, FileSystem.exists(destination) { throw FileError(.create, destination, number: EEXIST) }
    }

    deinit {
        try? FileSystem.remove(staging)
        close(descriptor)
    }

    private var content: String { staging + "/" + FileSystem.name(of: destination) }

    /// Where the folder goes that is replaced.
    private var former: String { staging + "/.former" }

    /// Makes the destination a folder and writes a file in it; missing folders are made.
    public func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let file = content + "/" + path
        try FileSystem.createDirectory(FileSystem.directory(of: file))
        try FileSystem.writeFile(bytes, to: file)
    }

    /// Makes the destination a file.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        try FileSystem.writeFile(bytes, to: content)
    }

    /// Takes the destination's place at once; the entry in its folder is durable afterwards.
    public func finish(replacing: Bool) throws(FileError) {
        if FileSystem.isDirectory(content) { try synchronizeFolders(content) }
        if replacing, FileSystem.exists(destination) || FileSystem.isLink(destination) {
            try replaceDestination()
        } else {
            try FileSystem.renameExclusively(content, to: destination)
        }
        try FileSystem.synchronize(FileSystem.directory(of: destination))
    }

    /// A file is replaced by the rename itself. A folder is not, by any rename that all systems have: the old one goes
    /// aside first, and comes back where the new one cannot take its place.
    private func replaceDestination() throws(FileError) {
        guard FileSystem.isDirectory(destination), !FileSystem.isLink(destination) else {
            return try FileSystem.rename(content, to: destination)
        }
        try FileSystem.rename(destination, to: former)
        do {
            try FileSystem.rename(content, to: destination)
        } catch {
            try? FileSystem.rename(former, to: destination)
            throw error
        }
    }

    private func synchronizeFolders(_ folder: String) throws(FileError) {
        for name in try FileSystem.names(in: folder) where FileSystem.isDirectory(folder + "/" + name) {
            try synchronizeFolders(folder + "/" + name)
        }
        try FileSystem.synchronize(folder)
    }
}
