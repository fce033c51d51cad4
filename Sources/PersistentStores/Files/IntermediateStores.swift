/// The stores between the first and the last of a chain of migrations, in a hidden folder beside the result, with a
/// record of how far the chain is.
///
/// A run that was killed leaves the folder behind: the next one goes on with it, or removes it. While a run lives it
/// holds an advisory lock on it.
public final class IntermediateStores {
    private let folder: StagingFolder

    /// Whether the folder stays when no one needs it any more, for a run that goes on with it.
    public var isKept = false

    /// Makes the folder, or takes hold of the one that an earlier run has left.
    /// - Throws: `StoreError.busyStaging` where another run is working on the same destination.
    public init(for destination: String) throws(StoreError) {
        folder = try StagingFolder(Self.path(for: destination))
    }

    deinit {
        if !isKept { folder.remove() }
    }

    private static func path(for destination: String) -> String {
        StagedFile.path(for: destination, ending: "ferry-chain")
    }

    /// Whether a run has left something for a destination, or is at it.
    public static func exist(for destination: String) -> Bool { FileSystem.isThere(path(for: destination)) }

    /// Removes what a run that died has left for a destination; what a living one is making stays.
    public static func removeStale(for destination: String) {
        guard exist(for: destination) else { return }
        _ = try? IntermediateStores(for: destination)
    }

    /// The path of the store behind a step, counted from 1.
    public func store(_ step: Int) -> String { folder.file("step-\(step).sqlite") }

    /// Removes a store, and what lies beside it.
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

    /// The largest record that is read: it has some lines.
    private static let maximumSize = 1 << 16

    /// What the last run has noted, a line `key value` each; nil if there is nothing whole.
    public var record: [String: String]? {
        guard let bytes = try? FileSystem.contents(of: recordPath, upTo: Self.maximumSize) else { return nil }
        var result: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            result[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
        }
        return result
    }

    /// Writes the record; it is on the device when this returns, the old one or the new one whatever happens.
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
