import Glibc

/// Brings a store's external data into the folder of another place, where a store's data may be that is replaced.
///
/// Records have names that are never given twice, so that those of two stores can lie side by side until one store
/// goes.
final class ExternalDataMerge {
    private let source: StoreFiles
    private let destination: StoreFiles
    private let isLinking: Bool
    private let isCancelled: (() -> Bool)?

    /// What this run has made, in order.
    private var made: [String] = []

    /// The files of the source that the destination has now.
    private var brought: [String] = []

    /// The files of the store that is replaced.
    private var replaced: [String] = []

    /// - Parameter isLinking: whether files get a second name instead of a second place, on the same device.
    init(from source: StoreFiles, to destination: StoreFiles, isLinking: Bool, isCancelled: (() -> Bool)?) {
        self.source = source
        self.destination = destination
        self.isLinking = isLinking
        self.isCancelled = isCancelled
    }

    /// Refuses links, since what they lead to is not the store's, and what is not a file.
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

    /// Makes what is missing at the destination, durable. A file of the same name with other content is an error.
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
        // Last: one that may only be read takes no files.
        if isNew { FileRights(of: from)?.give(to: to) }
    }

    /// Under a hidden name first: a run that is killed leaves no half file under a record's name.
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

    /// Takes away what this run has made.
    func undo() {
        for path in made.reversed() {
            if FileSystem.isDirectory(path), !FileSystem.isLink(path) { rmdir(path) } else { unlink(path) }
        }
        made = []
    }

    /// Takes up a move whose main file has its new place: notes which files the destination has already.
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

    /// Removes the source's files that the destination has, and the folders that are empty then. Says so where others
    /// use the folder, or it holds what is not the store's.
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

    /// Notes what is not the source's, the data of the store that is replaced: while no one can add to it.
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

    /// Removes the data of the store that was replaced. Says why not where others use them.
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
