/// Why a model is not written where it was asked for.
public enum ModelOutputError: Error, Sendable, Hashable {
    /// Something is there already, and it is not to be replaced.
    case exists(path: String)
    /// What is there holds something that no such bundle holds: it is not removed.
    case foreignContent(path: String, name: String)
    /// What is written would take the place of what is read.
    case isSource(path: String)
}

extension ModelOutputError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .exists(let path): "\(path): it exists already; choose another path, or replace it with --force"
        case .foreignContent(let path, let name):
            "\(path): it holds \"\(name)\", which is not part of such a model, so it is not replaced; see what it is, and move it away"
        case .isSource(let path): "\(path): this is the model that is read; choose another path"
        }
    }
}
