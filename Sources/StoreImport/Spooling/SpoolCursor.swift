import FoundationEssentials
import RecordSources

/// Goes through the spools of an import's shards, file by file, with one of them open at a time.
final class SpoolCursor {
    /// The records of a file in one spool begin.
    struct FileStart: Codable {
        /// The index of the file.
        let file: Int
        let guessedEncoding: String?
        /// How fields are found again that batches leave out; nil if none do.
        let form: DelimitedForm?
    }

    private let paths: [String]
    private var next = 0
    private var reader: SpoolReader?
    /// The file whose records come next.
    private var pending: FileStart?
    /// The file that was begun last.
    private var last = 0

    init(_ paths: [String]) {
        self.paths = paths
    }

    /// Goes to the records of a file; what is known of it, nil if no spool has any.
    func begin(_ file: Int) throws -> FileStart? {
        if pending == nil { try advance() }
        guard let pending, pending.file == file else { return nil }
        return pending
    }

    /// A batch, and where it stands.
    struct Batch {
        let content: [UInt8]
        let path: String
        let offset: Int
        /// How fields are found again that it leaves out.
        let form: DelimitedForm?
    }

    /// The next batch of a file that was begun; nil behind its last one.
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

    /// Makes sure that all was read.
    func finish() throws {
        if pending == nil { try advance() }
        guard pending == nil else { throw SpoolError.damaged(reader?.path ?? "", byteOffset: 0) }
    }

    /// Goes to the next file in the spools.
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

    /// Takes note of a file; files come in their order.
    private func take(_ content: [UInt8], _ path: String, _ offset: Int) throws {
        guard let start = try? JSONDecoder().decode(FileStart.self, from: Data(content)), start.file >= last
        else {
            throw SpoolError.damaged(path, byteOffset: offset)
        }
        last = start.file
        pending = start
    }
}
