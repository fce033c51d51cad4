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

    /// - Parameter isLinking: whether files get a second name instead of a second place, on the same device.
    init(from source: StoreFiles, to destination: StoreFiles, isLinking: Bool, isCancelled: (() -> Bool)?) {
        self.source = source
        self.destination = destination
        self.isLinking = isLinking
        self.isCancelled = isCancelled
    }

    /// Refuses links, since what they lead to is not the store's, and what is no file.
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
        if !FileSystem.isThere(to) {
            guard mkdir(to, 0o777) == 0 else { throw FileError(.create, to) }
            made.append(to)
        }
        for name in try FileSystem.names(in: from) {
            let (old, new) = (from + "/" + name, to + "/" + name)
            if FileSystem.isDirectory(old) {
                try merge(old, new)
            } else if !FileSystem.isThere(new) {
                try bring(old, to: new)
            } else if !FileSystem.isSameFile(old, new) {
                guard try FileSystem.hasSameContent(old, new) else { throw FileError(.create, new, number: EEXIST) }
            }
        }
        try FileSystem.synchronize(to)
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

    /// Removes what is not the source's: the data of the store that was replaced. Says why not where others use them.
    func removeOthers(unless sharers: [String]) throws(StoreError) -> [String] {
        guard sharers.isEmpty else {
            return ["the replaced store's external data stay: \(sharers.joined(separator: ", ")) uses the folder too"]
        }
        do throws(FileError) {
            try removeOthers(source.supportDirectory, destination.supportDirectory)
        } catch {
            throw StoreError(error)
        }
        return []
    }

    private func removeOthers(_ from: String, _ to: String) throws(FileError) {
        guard FileSystem.isThere(to) else { return }
        guard FileSystem.isDirectory(from) else { return try FileSystem.remove(to) }
        for name in try FileSystem.names(in: to) {
            let (old, new) = (from + "/" + name, to + "/" + name)
            if !FileSystem.isThere(old) {
                try FileSystem.remove(new)
            } else if FileSystem.isDirectory(new) {
                try removeOthers(old, new)
            }
        }
    }
}
