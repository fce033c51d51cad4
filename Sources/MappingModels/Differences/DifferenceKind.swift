/// How an entity or a property differs between two versions.
public enum DifferenceKind: String, Sendable, Hashable, Codable {
    case added
    case removed
    /// Under another name, perhaps with further changes.
    case renamed
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
