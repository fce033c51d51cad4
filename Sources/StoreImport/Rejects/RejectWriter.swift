import CompressedStreams
internal import Glibc
import ImportMappings
import PersistentStores
public import RecordSources

/// The writer of rejected records to a folder: a file for each source in the source's own format, and a log of the
/// reasons.
///
/// A file is created with its first record, so a run without rejected records leaves no files.
public final class RejectWriter {
    /// The path of the folder.
    public let directory: String
    /// The number of rejected records, including those of an earlier part of the run.
    public private(set) var recordCount: Int

    private var log: RejectLog?
    private var logFiles: [RejectFile] = []
    /// The state of a file that may be closed.
    private struct Place {
        let path: String
        let source: RejectSource
        /// The number of bytes; for a database, of its rows.
        var count: Int
        /// Whether the file belongs to this run, or to the run that it continues, so that it may exist already.
        var isOwn: Bool
    }
    /// The places, by the key of the source.
    private var places: [String: Place] = [:]
    /// The open files; the one that was used last is at the end.
    private var open: [(key: String, data: any RejectData)] = []
    private let mostOpen: Int
    /// The keys of the files that have changed since the last checkpoint.
    private var changed = Set<String>()
    private var paths: Set<String>
    /// For each name without number, the last number that a file got.
    private var numbers: [String: Int] = [:]
    /// The sources by file of the import, for records that are rejected after all records have been read.
    private var sources: [Int: RejectSource] = [:]
    private let earlier: RejectCheckpoint
    private let isReplacing: Bool

    /// Creates a writer to a folder, which is created if it does not exist; its parent must exist.
    ///
    /// If the checkpoint of an earlier run is given, that run's files are truncated to their sizes at the checkpoint,
    /// and continued.
    ///
    /// - Parameters:
    ///   - directory: the path of the folder.
    ///   - earlier: the checkpoint of an earlier run; an empty one for a new run.
    ///   - isReplacing: whether files of other runs are replaced; otherwise writing to an existing file is an error.
    ///   - mostOpen: the number of files that are kept open, because there may be any number of sources.
    public init(
        directory: String, goingOnFrom earlier: RejectCheckpoint = RejectCheckpoint(), isReplacing: Bool = false,
        mostOpen: Int = 16
    ) {
        self.directory = directory
        self.earlier = earlier
        // Files that were written after the checkpoint belong to the same run.
        self.isReplacing = isReplacing || Self.isOwn(directory, of: earlier)
        self.mostOpen = max(1, mostOpen)
        paths = Set(earlier.paths.values)
        recordCount = earlier.recordCount
    }

    /// Keeps the facts about a file of the import, for records of it that are rejected late.
    func keep(_ source: RejectSource, at file: Int) {
        var kept = source
        if file > 0, let other = sources[file - 1] {
            let shared = RejectSource(name: source.name, like: other)
            if shared == source { kept = shared }
        }
        sources[file] = kept
    }

    /// Returns the facts about a file of the import; nil if no record of it was read.
    func source(ofFile file: Int) -> RejectSource? { sources[file] }

    /// Rejects a record of a batch, for one or several reasons.
    ///
    /// - Throws: `SourceError` or `SQLiteError` if a file cannot be written.
    public func reject(
        _ record: Int, of batch: RecordBatch, from source: RejectSource, for reasons: [RejectionReason]
    ) throws {
        let entry = batch[record]
        try reject(
            source.capture(record, of: batch), number: batch.start.record + record + 1, line: entry.line,
            byteOffset: entry.sourceLength > 0 ? entry.sourceOffset : nil, from: source, for: reasons)
    }

    /// Rejects a record whose batch no longer exists.
    func reject(
        _ record: CapturedRecord, number: Int, line: Int, byteOffset: Int?, from source: RejectSource,
        for reasons: [RejectionReason]
    ) throws {
        if !record.isEmpty { try data(for: source).append(record, of: source) }
        let log = try openLog()
        for reason in reasons {
            try log.append(reason, file: source.name, record: number, line: line, byteOffset: byteOffset)
        }
        recordCount += 1
    }

    /// Adds a record that was imported without one of its links to the file of rejected records.
    func appendUnlinked(_ record: CapturedRecord, from source: RejectSource) throws {
        try data(for: source, .unlinked).append(record, of: source)
    }

    /// Writes a line to the log about a record that was imported nevertheless.
    func note(_ reason: RejectionReason, record: Int, line: Int, file: String) throws {
        try openLog().append(reason, file: file, record: record, line: line, byteOffset: nil)
    }

    /// Continues the files of an earlier run, so that they are completed even if no more records of the source are
    /// rejected.
    func goOn(with source: RejectSource, at file: Int) throws {
        keep(source, at: file)
        guard earlier.paths[source.name] != nil else { return }
        _ = try data(for: source)
        _ = try openLog()
    }

    /// Makes all rejected records durable; returns the changes since the last checkpoint.
    /// - Throws: `SourceError` or `SQLiteError` if a file cannot be written or synchronized.
    public func checkpoint() throws -> RejectCheckpoint {
        var checkpoint = RejectCheckpoint()
        checkpoint.recordCount = recordCount
        checkpoint.directory = FileSystem.resolvingLinks(directory)
        for file in logFiles {
            try file.synchronize()
            checkpoint.counts[file.path] = file.count
        }
        for (key, data) in open { places[key]?.count = try data.checkpoint() }
        for key in changed {
            guard let place = places[key] else { continue }
            checkpoint.counts[place.path] = place.count
            checkpoint.paths[key] = place.path
        }
        changed.removeAll(keepingCapacity: true)
        return checkpoint
    }

    /// Completes all files.
    /// - Throws: `SourceError` or `SQLiteError` if a file cannot be written or synchronized.
    public func finish() throws {
        for (key, data) in open {
            try data.finish()
            places[key] = nil
        }
        open.removeAll()
        // Files that were closed are complete except for the text after their last record.
        for (_, place) in places where !place.source.wrapping.suffix.isEmpty { try opened(place).finish() }
        places.removeAll()
        for file in logFiles { try file.synchronize() }
    }

    private func openLog() throws -> RejectLog {
        if let log { return log }
        try makeDirectory()
        for name in Self.logNames {
            let path = directory + "/" + name
            let kept = earlier.counts[path] ?? 0
            logFiles.append(try RejectFile(path: path, keeping: kept, isReplacing: isReplacing || kept > 0))
        }
        let opened = try RejectLog(lines: logFiles[0], table: logFiles[1])
        log = opened
        return opened
    }

    static let logNames = ["rejects.ndjson", "rejects.csv"]

    private func data(for source: RejectSource, _ content: RejectFileName.Content = .rejected) throws -> any RejectData
    {
        let key = content == .rejected ? source.name : source.name + "\0" + content.rawValue
        changed.insert(key)
        if let index = open.lastIndex(where: { $0.key == key }) {
            open.append(open.remove(at: index))
            return open[open.count - 1].data
        }
        if places[key] == nil {
            try makeDirectory()
            let path = earlier.paths[key] ?? freshPath(for: source, content)
            paths.insert(path)
            places[key] = Place(
                path: path, source: source, count: earlier.counts[path] ?? 0,
                isOwn: isReplacing || earlier.counts[path] != nil)
        }
        guard let place = places[key] else { throw SourceError(.cannotWrite(systemError: ENOENT), in: directory) }
        if open.count >= mostOpen {
            let (oldest, data) = open.removeFirst()
            places[oldest]?.count = try data.checkpoint()
        }
        let data = try opened(place)
        places[key]?.isOwn = true
        open.append((key, data))
        return data
    }

    private func opened(_ place: Place) throws -> any RejectData {
        place.source.rendering?.rendersRows ?? false
            ? try RejectDatabase(path: place.path, keeping: place.count, isReplacing: place.isOwn)
            : try RejectDocument(
                RejectFile(path: place.path, keeping: place.count, isReplacing: place.isOwn), source: place.source)
    }

    /// Returns a new file name such as `airports.rejected.csv` for `data/airports.csv`, with a number if another source
    /// has this name.
    private func freshPath(for source: RejectSource, _ content: RejectFileName.Content) -> String {
        let name = "\(directory)/\(Self.stem(of: source.name)).\(content.rawValue)"
        var number = numbers[name] ?? 1
        while true {
            let path = "\(name)\(number == 1 ? "" : "-\(number)").\(source.wrapping.fileExtension)"
            numbers[name] = number
            if !paths.contains(path) { return path }
            number += 1
        }
    }

    private func makeDirectory() throws(SourceError) {
        guard mkdir(directory, 0o755) != 0, errno != EEXIST else { return }
        throw SourceError(.cannotWrite(systemError: errno), in: directory)
    }
}
