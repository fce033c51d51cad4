import RecordSources

/// The reason why the records of an import cannot be spooled, or why spools cannot be assembled.
public enum SpoolError: Error, Equatable, Sendable {
    /// The file is not a spool.
    case noSpool(String)
    /// The spool has another version of the format.
    case otherVersion(String, version: UInt64)
    /// The spool is truncated, or its bytes have changed since they were written; with its path and the place.
    case damaged(String, byteOffset: Int)
    /// The records of a batch together exceed the size limit of a block.
    case blockTooLarge(String, limit: Int)
    /// The folder contains no spools.
    case noShards(folder: String)
    /// Spools of some shards are missing; with their numbers, and the number of shards.
    case missingShards([Int], count: Int)
    /// Two files contain the same shard.
    case doubleShard(Int, String, String)
    /// The spool belongs to another import; with its path, the path of the first spool, and the difference.
    case foreign(String, String, difference: String)
    /// The spools belong to divisions into different numbers of shards.
    case otherCount(String, Int, String, Int)
    /// The destination contains the spool of another import.
    case otherImport(String)
    /// The source cannot be read by several processes, or cannot be read twice.
    case notDivisible(String)
    /// The source changed while it was read.
    case sourceChanged(String)
    /// The mapping uses `now()`, which would be a different time in each shard.
    case momentNeeded
    /// The compiled form of the model would result in other tables.
    case modelNotSpooled
    /// The store exists, but only new stores can be assembled.
    case storeExists(String)
}

extension SpoolError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noSpool(let path): "\(path) is not a spool of an import"
        case .otherVersion(let path, let version):
            "\(path) was written by another version of Ferry (format \(version)); spool the records again"
        case .damaged(let path, let offset):
            "\(path) is damaged at byte \(offset); spool this shard again"
        case .blockTooLarge(let path, let limit):
            "a batch of records has more than the \(limit) bytes that \(path) can keep of one; make batches smaller with "
                + "--batch-rows or --batch-bytes"
        case .noShards(let folder):
            "there is no finished spool in \(folder); run the import of its shard, again if it was interrupted"
        case .missingShards(let numbers, let count):
            Self.missing(numbers, count)
        case .doubleShard(let number, let first, let second):
            "shard \(number) is there twice: \(first) and \(second); name one of them"
        case .foreign(let path, let first, let difference):
            "\(path) is of another import than \(first): \(difference) differs; name the spools of one import"
        case .otherCount(let path, let count, let first, let firstCount):
            "\(path) is of a division into \(count), and \(first) of one into \(firstCount); name the spools of one division"
        case .otherImport(let path):
            "\(path) is there, of another import; remove it, or replace it with --force"
        case .notDivisible(let path):
            "\(StreamInput.title(of: path)) can be read once only, and each shard reads for itself; give a file"
        case .sourceChanged(let path): "\(path) has changed while it was read; spool its records again"
        case .momentNeeded:
            "the mapping uses now(), which would be another moment in each shard; give all of them the same with --now"
        case .modelNotSpooled:
            "the model has no compiled form with the same tables, so it cannot be kept with the records"
        case .storeExists(let path): "\(path) exists; spools are assembled into a new store"
        }
    }

    private static func missing(_ numbers: [Int], _ count: Int) -> String {
        let shown = numbers.prefix(10).map(String.init).joined(separator: ", ")
        let more = numbers.count > 10 ? " and \(numbers.count - 10) more" : ""
        return
            (numbers.count == 1
            ? "shard \(shown) of \(count) is missing" : "shards \(shown)\(more) of \(count) are missing")
            + "; name the folders of all shards, and run those that were not finished again"
    }
}
