import FoundationEssentials
import RecordSources

/// The reader of the spools of an import's shards, file by file, with one of them open at a time.
final class SpoolCursor {
    /// The beginning of a file's records in a spool.
    struct FileStart: Codable {
        /// The index of the file.
        let file: Int
        let guessedEncoding: String?
        /// How fields that batches leave out are found again; nil if no fields are left out.
        let form: DelimitedForm?
    }

    private let paths: [String]
    private var next = 0
    private var reader: SpoolReader?
    /// The file whose records come next.
    private var pending: FileStart?
    /// The last file that was begun.
    private var last = 0

    init(_ paths: [String]) {
        self.paths = paths
    }

    /// Moves to the records of a file; returns the facts about it, or nil if no spool has records of it.
    func begin(_ file: Int) throws -> FileStart? {
        if pending == nil { try advance() }
        guard let pending, pending.file == file else { return nil }
        return pending
    }

    /// A batch with its place.
    struct Batch {
        let content: [UInt8]
        let path: String
        let offset: Int
        /// How fields that it leaves out are found again.
        let form: DelimitedForm?
    }

    /// Returns the next batch of a file that was begun; nil after its last one.
    func batch(of file: Int) throws -> Batch? {
        while let start = pending, start.file == file {
            guard let reader, let block = try reader.next() else {
                try advance()
                continue
            }
            switch block.kind {
            case .batch:
                return Batch(content: block.content, path: reader.path, offset: block.offset, form: start.form)
            case .file: try take(block.content, reader.path, block.offset)
            case .ending: try advance()
            case .keys: continue
            case .import: throw SpoolError.damaged(reader.path, byteOffset: block.offset)
            }
        }
        return nil
    }

    /// Checks that everything was read.
    func finish() throws {
        if pending == nil { try advance() }
        guard pending == nil else { throw SpoolError.damaged(reader?.path ?? "", byteOffset: 0) }
    }

    /// Moves to the next file in the spools.
    private func advance() throws {
        pending = nil
        while true {
            if let reader, let block = try reader.next() {
                switch block.kind {
                case .file: return try take(block.content, reader.path, block.offset)
                case .ending, .keys: continue
                case .batch, .import: throw SpoolError.damaged(reader.path, byteOffset: block.offset)
                }
            }
            reader = nil
            guard next < paths.count else { return }
            let opened = try SpoolReader(paths[next])
            next += 1
            guard try opened.next()?.kind == .import else { throw SpoolError.damaged(opened.path, byteOffset: 0) }
            reader = opened
        }
    }

    /// Processes the beginning of a file; files must be in order.
    private func take(_ content: [UInt8], _ path: String, _ offset: Int) throws {
        guard let start = try? JSONDecoder().decode(FileStart.self, from: Data(content)), start.file >= last
        else {
            throw SpoolError.damaged(path, byteOffset: offset)
        }
        last = start.file
        pending = start
    }
}
