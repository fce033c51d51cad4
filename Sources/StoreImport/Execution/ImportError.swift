import PersistentStores

/// Why an import ended before its time; nothing was changed, or with `--commit batch` nothing after the last batch.
public enum ImportError: Error, Equatable, Sendable {
    case tooManyRejects(Int, maximum: Int)
    case cancelled
    case constraint(String)
    case interrupted
    case nothingToResume
    case otherImport
    case sourceChanged(String)
    case standardInputNotResumable
    /// Why the builder was asked for and cannot write the store.
    case cannotBuild([String])
    /// What SQLite says of the file that the builder wrote.
    case notVerified(String)
}

extension ImportError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooManyRejects(let count, let maximum):
            "\(Quantity.count(Int64(count), "record was", plural: "records were")) rejected, and \(maximum) may be; mend them, "
                + "or allow more"
        case .cancelled:
            "cancelled; nothing has changed, or with --commit batch nothing behind the last batch: --resume goes on there"
        case .interrupted:
            "an import into the store was interrupted; repeat it with --commit batch --resume, so that it comes to its end"
        case .nothingToResume: "no import into the store was interrupted; import without --resume"
        case .otherImport:
            "the import that was interrupted had other sources or another mapping; repeat the same one with --resume"
        case .sourceChanged(let path):
            "\(path) has changed since the import was interrupted, so that its place is lost; put the old file back, or "
                + "restore the store from before the import"
        case .standardInputNotResumable:
            "what was read from standard input is gone; an import can go on only with files"
        case .cannotBuild(let reasons):
            "the builder cannot write this store: \(reasons.joined(separator: "; ")); import with --writer auto"
        case .notVerified(let faults):
            "the new store did not stand SQLite's check and is not kept; import with --writer sqlite, and report this: \(faults)"
        case .constraint(let reason): "the store refuses a value: \(reason)"
        }
    }
}
