import PersistentStores

/// The reason why an import ended early. Nothing was changed, or with `--commit batch` nothing after the last batch.
public enum ImportError: Error, Equatable, Sendable {
    /// More records were rejected than are allowed: their number, and the maximum.
    case tooManyRejects(Int, maximum: Int)
    /// More objects would be deleted than are allowed: their number, the number for each entity, and the limit in
    /// words.
    case tooManyDeletes(Int64, String, limit: String)
    /// `isCancelled` returned true.
    case cancelled
    /// The import was cancelled with `--commit batch`: what it has committed stays, and so does the note that it can be
    /// resumed.
    case cancelledBetweenBatches
    /// The store refuses a value; the message is SQLite's.
    case constraint(String)
    /// The primary keys of a table are used up; the name of its root entity.
    case noKeyLeft(entity: String)
    /// An import into the store was interrupted, and this one does not resume it.
    case interrupted
    /// There is no interrupted import to resume.
    case nothingToResume
    /// The interrupted import had other sources or another mapping.
    case otherImport
    /// A source, given by its path, has changed since the import was interrupted.
    case sourceChanged(String)
    /// Standard input cannot be read again, so its import cannot be resumed.
    case standardInputNotResumable
    /// The progress of the import was stored by another version of Ferry.
    case unknownProgress
    /// There is no interrupted import to abandon.
    case nothingToAbandon
    /// A file of rejected records exists that does not belong to this import.
    case rejectsExist(String)
    /// SQLite's check of the file that the builder wrote has found these faults.
    case notVerified(String)
}

extension ImportError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooManyRejects(let count, let maximum):
            "\(Quantity.count(Int64(count), "record was", plural: "records were")) rejected, and \(maximum) may be; correct them, "
                + "or allow more"
        case .tooManyDeletes(let count, let counts, let limit):
            "\(Quantity.count(count, "object")) would be deleted, because no record has them or they go with such objects "
                + "(\(counts)); no more may be than \(limit); see whether the sources are whole, or allow it with "
                + "--max-deletes \(count)"
        case .cancelled: "cancelled; nothing has changed"
        case .cancelledBetweenBatches:
            "cancelled; the batches that were committed stay: complete the import with --commit batch --resume, or give "
                + "it up with --abandon"
        case .interrupted:
            "an import into the store was interrupted; complete it with --commit batch --resume, or "
                + "give it up with --abandon: what it has committed stays"
        case .nothingToResume: "no import into the store was interrupted; import without --resume"
        case .otherImport:
            "the import that was interrupted had other sources or another mapping; repeat the same one with --resume, or "
                + "give it up with --abandon"
        case .sourceChanged(let path):
            "\(path) has changed since the import was interrupted, and its place in it is lost; put the old file back, or "
                + "give the import up with --abandon: what it has committed stays, and a new import finds it by its keys"
        case .standardInputNotResumable:
            "what was read from standard input or a pipe is gone; only an import of files can be resumed"
        case .unknownProgress:
            "the import was interrupted in another version of Ferry; resume it with that version, or give the "
                + "import up with --abandon"
        case .rejectsExist(let path):
            "\(path): it exists already; choose another folder for the rejects, or replace its files with --force"
        case .nothingToAbandon: "no import into the store was interrupted; there is nothing to give up"
        case .notVerified(let faults):
            "the new store failed SQLite's check and is not kept; import with --writer sqlite, and report this: \(faults)"
        case .noKeyLeft(let entity):
            "no primary key is left for objects of \(entity): the highest of its table, or its Z_MAX in Z_PRIMARYKEY, is "
                + "\(Int64.max - 1) or more; convert the store to XML and back, which numbers the objects from 1"
        case .constraint(let reason): "the store refuses a value: \(reason)"
        }
    }
}
