/// The difference of an entity or a property between two versions.
public enum DifferenceKind: String, Sendable, Hashable, Codable {
    /// It is missing from the source.
    case added
    /// It is missing from the destination.
    case removed
    /// It has another name, and possibly further changes.
    case renamed
    /// It has the same name, and other facets.
    case changed

    /// The sign at the beginning of a line: `+`, `-`, `>` or `~`.
    var sign: String {
        switch self {
        case .added: "+"
        case .removed: "-"
        case .renamed: ">"
        case .changed: "~"
        }
    }
}
