/// How an entity or a property differs between two versions.
public enum DifferenceKind: String, Sendable, Hashable, Codable {
    /// The source does not have it.
    case added
    /// The destination does not have it.
    case removed
    /// Under another name, perhaps with further changes.
    case renamed
    /// Under the same name, with other facets.
    case changed

    /// The sign before a line of a text: `+`, `-`, `>` or `~`.
    var sign: String {
        switch self {
        case .added: "+"
        case .removed: "-"
        case .renamed: ">"
        case .changed: "~"
        }
    }
}
