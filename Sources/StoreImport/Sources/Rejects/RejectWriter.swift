internal import Glibc

/// Writes rejected records to a folder: for every source a file in its own format, and a log of the reasons.
///
/// A file is made with the first record that goes to it: a run without rejected records leaves nothing.
public final class RejectWriter {
    public let directory: String
    /// How many records were rejected, those of an earlier part of the run included.
    public private(set) var recordCount: Int

    private var log: RejectLog?
    private var logFiles: [RejectFile] = []
    /// By the key of the source.
    private var data: [String: any RejectData] = [:]
    private var paths = Set<String>()
    private let earlier: RejectCheckpoint

    /// Writes to a folder, which is made where it does not exist; its parent must.
    ///
    /// With the checkpoint of an earlier run, its files are cut to what they had then, and gone on with.
    public init(directory: String, goingOnFrom earlier: RejectCheckpoint = RejectCheckpoint()) {
        self.directory = directory
        self.earlier = earlier
        recordCount = earlier.recordCount
    }

    /// Rejects a record of a batch, for one reason or several.
    ///
    /// - Throws: an error that names the file that cannot be written.
    public func reject(
        _ record: Int, of batch: RecordBatch, from source: RejectSource, for reasons: [Rejection]
    ) throws {
        let entry = batch[record]
        try reject(
            source.capture(record, of: batch), number: batch.start.record + record + 1, line: entry.line,
            byteOffset: entry.sourceLength > 0 ? entry.sourceOffset : nil, from: source, for: reasons)
    }

    /// Rejects a record whose batch is gone.
    func reject(
        _ record: CapturedRecord, number: Int, line: Int, byteOffset: Int?, from source: RejectSource,
        for reasons: [Rejection]
    ) throws {
        try data(for: source).append(record)
        let log = try openLog()
        for reason in reasons {
            try log.append(reason, file: source.name, record: number, line: line, byteOffset: byteOffset)
        }
        recordCount += 1
    }

    /// Adds a record that is imported, but without a link, to the file of those of its source.
    func appendUnlinked(_ record: CapturedRecord, from source: RejectSource) throws {
        try data(for: source, .unlinked).append(record)
    }

    /// Writes a line to the log about a record that is imported all the same.
    func note(_ reason: Rejection, record: Int, line: Int, file: String) throws {
        try openLog().append(reason, file: file, record: record, line: line, byteOffset: nil)
    }

    /// Takes up the files of an earlier run, so that they are completed also where no more of the source is rejected.
    func goOn(with source: RejectSource) throws {
        guard earlier.paths[source.name] != nil else { return }
        _ = try data(for: source)
        _ = try openLog()
    }

    /// Makes all that was rejected so far last, and says where the files end.
    public func checkpoint() throws -> RejectCheckpoint {
        var checkpoint = earlier
        checkpoint.recordCount = recordCount
        for file in logFiles {
            try file.synchronize()
            checkpoint.counts[file.path] = file.count
        }
        for (name, file) in data {
            checkpoint.counts[file.path] = try file.checkpoint()
            checkpoint.paths[name] = file.path
        }
        return checkpoint
    }

    /// Completes all files.
    public func finish() throws {
        for file in data.values { try file.finish() }
        for file in logFiles { try file.synchronize() }
    }

    private func openLog() throws -> RejectLog {
        if let log { return log }
        try makeDirectory()
        for name in ["rejects.ndjson", "rejects.csv"] {
            let path = directory + "/" + name
            logFiles.append(try RejectFile(path: path, keeping: earlier.counts[path] ?? 0))
        }
        let opened = try RejectLog(lines: logFiles[0], table: logFiles[1])
        log = opened
        return opened
    }

    /// What the records of a file have in common.
    private enum Content: String {
        case rejected
        /// Imported without a link.
        case unlinked
    }

    /// What files of records that are imported without a link have in their names.
    static let unlinkedName = ".\(Content.unlinked.rawValue)."

    private func data(for source: RejectSource, _ content: Content = .rejected) throws -> any RejectData {
        let key = content == .rejected ? source.name : source.name + "\0" + content.rawValue
        if let known = data[key] { return known }
        try makeDirectory()
        let path = earlier.paths[key] ?? freshPath(for: source, content)
        paths.insert(path)
        let kept = earlier.counts[path] ?? 0
        let opened: any RejectData =
            source.wrapping.fileExtension == "sqlite"
            ? try RejectDatabase(path: path, source: source, keeping: kept)
            : try RejectDocument(RejectFile(path: path, keeping: kept), source: source)
        data[key] = opened
        return opened
    }

    /// `airports.rejected.csv` for `data/airports.csv`, with a number where another source has that name.
    private func freshPath(for source: RejectSource, _ content: Content) -> String {
        let file = source.name == "-" ? "stdin" : String(source.name.split(separator: "/").last ?? "source")
        let stem = file.lastIndex(of: ".").map { $0 > file.startIndex ? String(file[..<$0]) : file } ?? file
        let taken = paths.union(earlier.paths.values)
        var number = 1
        while true {
            let suffix = number == 1 ? "" : "-\(number)"
            let path = "\(directory)/\(stem).\(content.rawValue)\(suffix).\(source.wrapping.fileExtension)"
            if !taken.contains(path) { return path }
            number += 1
        }
    }

    private func makeDirectory() throws(SourceError) {
        guard mkdir(directory, 0o755) != 0, errno != EEXIST else { return }
        throw SourceError(.cannotWrite(systemError: errno), in: directory)
    }
}
