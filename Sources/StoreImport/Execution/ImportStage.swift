/// What an import does, in this order.
public enum ImportStage: String, Sendable {
    /// Records are read and converted.
    case importing
    /// Links that waited for objects of later records are followed, and records that cannot be are rejected.
    case linking
    /// The tables of a new store are written with their final keys.
    case building
    /// Indexes that were put off are made.
    case indexing
}
