/// The intermediate stores of a chain of migrations, in a hidden folder beside the result, with a record of the chain's
/// progress.
///
/// A run that was killed leaves the folder behind; the next run continues with it, or removes it. A running process
/// holds an advisory lock on the folder.
public final class IntermediateStores {
    private let folder: StagingFolder

    /// Whether the folder is kept on deinitialization, for a run that continues with it.
    public var isKept = false

    /// Makes the folder, or takes over the one that an earlier run has left.
    /// - Throws: `StoreError.busyStaging` if another run is working on the same destination.
    public init(for destination: String) throws(StoreError) {
        folder = try StagingFolder(Self.path(for: destination))
    }

    deinit {
        if !isKept { folder.remove() }
    }

    private static func path(for destination: String) -> String {
        StagedFile.path(for: destination, ending: "ferry-chain")
    }

    /// Returns whether a run for a destination has left intermediate stores, or is still in progress.
    public static func exist(for destination: String) -> Bool { FileSystem.isThere(path(for: destination)) }

    /// Removes what a run that was killed has left for a destination; the files of a run in progress stay.
    public static func removeStale(for destination: String) {
        guard exist(for: destination) else { return }
        _ = try? IntermediateStores(for: destination)
    }

    /// Returns the path of the store that a step makes, counted from 1.
    public func store(_ step: Int) -> String { folder.file("step-\(step).sqlite") }

    /// Removes the store of a step, and the files beside it.
    public func removeStore(_ step: Int) { StoreFiles(store(step)).remove() }

    /// Removes everything in the folder.
    /// - Throws: `StoreError` if something cannot be removed.
    public func clear() throws(StoreError) {
        do throws(FileError) {
            for name in try FileSystem.names(in: folder.path) { try FileSystem.remove(folder.file(name)) }
        } catch {
            throw StoreError(error)
        }
    }

    private var recordPath: String { folder.file("record") }

    /// The size of the largest record that is read, in bytes; a record has a few lines.
    private static let maximumSize = 1 << 16

    /// The record of the last run, with one line `key value` for each entry; nil if there is no complete one.
    public var record: [String: String]? {
        guard let bytes = try? FileSystem.contents(of: recordPath, upTo: Self.maximumSize) else { return nil }
        var result: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            result[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
        }
        return result
    }

    /// Writes the record durably; after a failure, the file holds either the old record or the new one.
    /// - Throws: `StoreError` if the record cannot be written.
    public func write(_ record: [String: String]) throws(StoreError) {
        let lines = record.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
        do throws(FileError) {
            let new = folder.file("record.new")
            try FileSystem.remove(new)
            try FileSystem.writeFile(Array(lines.joined().utf8), to: new)
            try FileSystem.rename(new, to: recordPath)
            try FileSystem.synchronize(folder.path)
        } catch {
            throw StoreError(error)
        }
    }
}
