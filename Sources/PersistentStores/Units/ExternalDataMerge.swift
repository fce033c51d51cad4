import Glibc

/// Copies or links a store's external data into a destination folder, which may hold the data of a store that is
/// replaced.
///
/// The names of records are unique, so those of two stores can be side by side until one store is removed.
final class ExternalDataMerge {
    private let source: StoreFiles
    private let destination: StoreFiles
    private let isLinking: Bool
    private let isCancelled: (() -> Bool)?

    /// The files and folders that this run has made, in order.
    private var made: [String] = []

    /// The files of the source that the destination now has.
    private var brought: [String] = []

    /// The files of the replaced store.
    private var replaced: [String] = []

    /// - Parameter isLinking: whether files get a second name on the same device, instead of being copied.
    init(from source: StoreFiles, to destination: StoreFiles, isLinking: Bool, isCancelled: (() -> Bool)?) {
        self.source = source
        self.destination = destination
        self.isLinking = isLinking
        self.isCancelled = isCancelled
    }

    /// Refuses links, since their targets do not belong to the store, and anything that is neither a file nor a folder.
    func check() throws(StoreError) {
        do throws(FileError) {
            try check(source.supportDirectory)
            try check(destination.supportDirectory)
        } catch {
            throw StoreError(error)
        }
    }

    private func check(_ path: String) throws(FileError) {
        guard try FileSystem.storePart(at: path, to: .copy) == .folder else { return }
        for name in try FileSystem.names(in: path) { try check(path + "/" + name) }
    }

    /// Makes the missing files at the destination, durably. A file of the same name with other content is an error.
    func run() throws(StoreError) {
        guard FileSystem.isDirectory(source.supportDirectory) else { return }
        do throws(FileError) {
            try merge(source.supportDirectory, destination.supportDirectory)
            try FileSystem.synchronize(destination.directory)
        } catch {
            undo()
            throw error.number == EEXIST ? StoreError(.exists, path: error.path) : StoreError(error)
        }
    }

    private func merge(_ from: String, _ to: String) throws(FileError) {
        let isNew = !FileSystem.isThere(to)
        if isNew {
            guard mkdir(to, 0o700) == 0 else { throw FileError(.create, to) }
            made.append(to)
        }
        for name in try FileSystem.names(in: from) {
            let (old, new) = (from + "/" + name, to + "/" + name)
            if FileSystem.isDirectory(old) {
                try merge(old, new)
                continue
            }
            if !FileSystem.isThere(new) {
                try bring(old, to: new)
            } else if !FileSystem.isSameFile(old, new) {
                guard try FileSystem.hasSameContent(old, new) else { throw FileError(.create, new, number: EEXIST) }
            }
            brought.append(old)
        }
        try FileSystem.synchronize(to)
        // Last, because a read-only folder accepts no files.
        if isNew { FileRights(of: from)?.give(to: to) }
    }

    /// Copies or links a file, under a hidden name first: a killed run leaves no partial file under a record's name.
    private func bring(_ old: String, to new: String) throws(FileError) {
        if isLinking, link(old, new) == 0 {
            made.append(new)
            return
        }
        let staged = FileSystem.directory(of: new) + "/." + FileSystem.name(of: new) + ".ferry-staging"
        try FileSystem.remove(staged)
        made.append(staged)
        try FileSystem.copyFile(old, to: staged, isCancelled: isCancelled)
        try FileSystem.synchronize(staged)
        made.append(new)
        try FileSystem.rename(staged, to: new)
    }

    /// Removes everything that this run has made.
    func undo() {
        for path in made.reversed() {
            if FileSystem.isDirectory(path), !FileSystem.isLink(path) { rmdir(path) } else { unlink(path) }
        }
        made = []
    }

    /// Resumes a move whose main file is already at its new place: notes which files the destination has already.
    func takeUp() throws(StoreError) {
        do throws(FileError) {
            try takeUp(source.supportDirectory, destination.supportDirectory)
        } catch {
            throw StoreError(error)
        }
    }

    private func takeUp(_ from: String, _ to: String) throws(FileError) {
        guard FileSystem.isDirectory(from), FileSystem.isDirectory(to) else { return }
        for name in try FileSystem.names(in: from) {
            let (old, new) = (from + "/" + name, to + "/" + name)
            if FileSystem.isDirectory(old) {
                try takeUp(old, new)
            } else if FileSystem.exists(new), try FileSystem.hasSameContent(old, new) {
                brought.append(old)
            }
        }
    }

    /// Whether the destination has files of the source.
    var hasBrought: Bool { !brought.isEmpty }

    /// Removes the source's files that the destination has, and then empty folders. Returns notes if other stores use
    /// the folder, or it contains files that do not belong to the store.
    func removeSource(unless sharers: [String]) throws(StoreError) -> [String] {
        let folder = source.supportDirectory
        guard FileSystem.isThere(folder) else { return [] }
        guard sharers.isEmpty else { return ["\(folder) stays: \(sharers.joined(separator: ", ")) uses it too"] }
        do throws(FileError) {
            for path in brought { try FileSystem.remove(path) }
            guard try FileSystem.removeEmpty(folder) else {
                return ["\(folder) stays: it has files that are not the moved store's"]
            }
        } catch {
            throw StoreError(error)
        }
        return []
    }

    /// Notes the files that are not the source's, the data of the replaced store; call it while no process can add
    /// files.
    func noteReplaced() throws(StoreError) {
        do throws(FileError) {
            try noteReplaced(source.supportDirectory, destination.supportDirectory)
        } catch {
            throw StoreError(error)
        }
    }

    private func noteReplaced(_ from: String, _ to: String) throws(FileError) {
        guard FileSystem.isThere(to) else { return }
        for name in try FileSystem.names(in: to) {
            let (old, new) = (from + "/" + name, to + "/" + name)
            if FileSystem.isDirectory(new) {
                try noteReplaced(old, new)
            } else if !FileSystem.isThere(old) {
                replaced.append(new)
            }
        }
    }

    /// Removes the data of the replaced store. Returns a note if other stores use them.
    func removeReplaced(unless sharers: [String]) throws(StoreError) -> [String] {
        guard !replaced.isEmpty else { return [] }
        guard sharers.isEmpty else {
            return ["the replaced store's external data stay: \(sharers.joined(separator: ", ")) uses the folder too"]
        }
        do throws(FileError) {
            for path in replaced { try FileSystem.remove(path) }
            if !FileSystem.isThere(source.supportDirectory) {
                _ = try FileSystem.removeEmpty(destination.supportDirectory)
            }
        } catch {
            throw StoreError(error)
        }
        return []
    }
}
