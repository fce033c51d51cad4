/// The stages of an import, in their order.
public enum ImportStage: String, Sendable {
    /// Records are read and converted.
    case importing
    /// Pending links to objects of later records are written, and records whose links cannot be written are rejected.
    case linking
    /// The tables of a new store are written with their final keys.
    case building
    /// Indexes that were postponed are created.
    case indexing
}
