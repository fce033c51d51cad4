import FoundationEssentials
public import ManagedObjectModels
import PersistentStores
import RecordSources

/// The spools of all shards of an import, from which a new store is assembled.
public struct ImportSpools {
    let content: SpooledImport
    /// The paths of the spools, in the order of their shards.
    let paths: [String]
    /// For each spool, the keys whose hashes it contains.
    private let keys: [[SpooledKeys]]
    /// For each index of a mapping, the finding that is reported if no file of it has records.
    let missingElements: [Int: String]
    /// The number of records in all shards.
    public let records: Int64

    /// The description of the store, except for its path and UUID.
    public let target: ImportRun.Target

    /// The localized names of entities and properties in messages; nil for the names in the model.
    public var localization: LocalizationDictionary? { content.localization }

    /// Opens the spools in folders, each of which may contain several, and compares them with each other.
    ///
    /// - Parameter folders: the paths of folders or of spools.
    /// - Throws: `SpoolError` for a file that is not a spool or belongs to another import, and if shards are missing;
    ///   `SourceError` if one cannot be read.
    public init(_ folders: [String]) throws {
        var found: [(ending: SpoolEnding, path: String)] = []
        var common: (bytes: [UInt8], path: String)?
        for path in try folders.flatMap({ try Self.spools(in: $0) }) {
            let reader = try SpoolReader(path)
            let header = try reader.header()
            if let common, common.bytes != header {
                throw SpoolError.foreign(
                    path, common.path,
                    difference: try Self.content(header, path).difference(from: Self.content(common.bytes, common.path))
                )
            }
            common = common ?? (header, path)
            guard let ending = try? SpoolEnding(decoding: try reader.ending()) else {
                throw SpoolError.damaged(path, byteOffset: 0)
            }
            found.append((ending, path))
        }
        guard let common, let first = found.first else { throw SpoolError.noShards(folder: folders.first ?? "") }
        content = try Self.content(common.bytes, common.path)
        for other in found where other.ending.shard.count != first.ending.shard.count {
            throw SpoolError.otherCount(other.path, other.ending.shard.count, first.path, first.ending.shard.count)
        }
        found.sort { $0.ending.shard.number < $1.ending.shard.number }
        for (one, other) in zip(found, found.dropFirst()) where one.ending.shard == other.ending.shard {
            throw SpoolError.doubleShard(one.ending.shard.number, one.path, other.path)
        }
        if found.count < first.ending.shard.count {
            let numbers = Set(found.map(\.ending.shard.number))
            throw SpoolError.missingShards(
                (1...first.ending.shard.count).filter { !numbers.contains($0) }, count: first.ending.shard.count)
        }
        paths = found.map(\.path)
        keys = found.map(\.ending.keys)
        records = found.reduce(0) { $0 &+ $1.ending.records }
        missingElements = found.reduce(into: [:]) { $0.merge($1.ending.missingElements) { first, _ in first } }
        target = try content.target(path: "", uuid: "")
    }

    /// Assembles the same store as an import of all sources.
    ///
    /// - Parameters:
    ///   - path: the path of the new store, at which no file may exist.
    ///   - uuid: the UUID of the store, in upper case.
    ///   - options: the options; the sizes of batches and records, and `now`, are those of the shards.
    /// - Throws: `SpoolError`, `StoreError`, `ImportError`; there is no store then.
    public func assemble(into path: String, uuid: String, options: ImportOptions) throws -> ImportReport {
        if FileSystem.isThere(path) { throw SpoolError.storeExists(path) }
        var options = options
        options.now = content.now
        options.largestRecord = content.largestRecord
        options.limits = RecordBatch.Limits(rows: content.batchRows, bytes: content.batchBytes)
        options.localization = options.localization ?? content.localization
        options.commit = .whole
        return try ImportRun(target: content.target(path: path, uuid: uuid), spools: self, options: options).run()
    }

    /// Returns whether all objects of a source have different keys according to their hashes; false if it is not known.
    ///
    /// - Throws: `SpoolError` or `SourceError` if the hashes cannot be read, `ImportError.cancelled`.
    func haveDistinctKeys(_ source: Int, _ limits: SpoolLimits, isCancelled: (() -> Bool)?) throws -> Bool {
        let own = keys.compactMap { keys in keys.first { $0.source == source } }
        guard own.count == paths.count, own.reduce(0, { $0 + $1.runs.count }) <= limits.comparedRuns else {
            return false
        }
        let runs = try zip(paths, own).filter { !$1.runs.isEmpty }.flatMap { path, keys in
            let reader = try SpoolReader(path)
            return keys.runs.map { (reader: reader, run: $0) }
        }
        var merge = KeyRunMerge(runs, limits)
        return try merge.areDistinct(isCancelled)
    }

    private static func content(_ bytes: [UInt8], _ path: String) throws -> SpooledImport {
        guard let content = try? SpooledImport(decoding: bytes), content.isConsistent else {
            throw SpoolError.damaged(path, byteOffset: 0)
        }
        return content
    }

    private static func spools(in folder: String) throws -> [String] {
        guard FileSystem.isDirectory(folder) else { return [folder] }
        do {
            let names = try FileSystem.names(in: folder).filter {
                $0.hasSuffix("." + ImportShard.fileExtension) && !$0.hasPrefix(".")
            }
            guard !names.isEmpty else { throw SpoolError.noShards(folder: folder) }
            return names.sorted().map { folder + "/" + $0 }
        } catch let error as FileError {
            throw StoreError(error)
        }
    }
}
