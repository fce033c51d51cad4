import PersistentStores

/// Why an import ended before its time; nothing was changed, or with `--commit batch` nothing after the last batch.
public enum ImportError: Error, Equatable, Sendable {
    /// More records were rejected than may be; how many, and the most that are allowed.
    case tooManyRejects(Int, maximum: Int)
    /// More objects would be deleted than may be; the number of each entity, and the limit in words.
    case tooManyDeletes(Int64, String, limit: String)
    /// `isCancelled` asked for the end.
    case cancelled
    /// Cancelled with `--commit batch`: what was committed stays, and so does the note that the import is to be resumed.
    case cancelledBetweenBatches
    /// The store refuses a value; in SQLite's words.
    case constraint(String)
    /// The highest primary key of a table is the highest that there is; the name of its root entity.
    case noKeyLeft(entity: String)
    /// An import into the store was interrupted, and this one does not resume it.
    case interrupted
    /// There is no interrupted import to resume.
    case nothingToResume
    /// The interrupted import had other sources or another mapping.
    case otherImport
    /// A source, by its path, is not what it was when the import was interrupted.
    case sourceChanged(String)
    /// Standard input cannot be read again, so that its import cannot be resumed.
    case standardInputNotResumable
    /// The note of another version of Ferry.
    case unknownProgress
    /// There is no interrupted import to give up.
    case nothingToAbandon
    /// A file of rejected records is there that is not of this import.
    case rejectsExist(String)
    /// Why the builder was asked for and cannot write the store.
    case cannotBuild([String])
    /// What SQLite says of the file that the builder wrote.
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
        case .cannotBuild(let reasons):
            "the builder cannot write this store: \(reasons.joined(separator: "; ")); import with --writer auto"
        case .notVerified(let faults):
            "the new store failed SQLite's check and is not kept; import with --writer sqlite, and report this: \(faults)"
        case .noKeyLeft(let entity):
            "no primary key is left for objects of \(entity): the highest of its table, or its Z_MAX in Z_PRIMARYKEY, is "
                + "\(Int64.max - 1) or more; convert the store to XML and back, which numbers the objects from 1"
        case .constraint(let reason): "the store refuses a value: \(reason)"
        }
    }
}
