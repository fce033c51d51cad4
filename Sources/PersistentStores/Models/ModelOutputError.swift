/// Why a model is not written to the requested path.
public enum ModelOutputError: Error, Sendable, Hashable {
    /// Something already exists at the path, and is not to be replaced.
    case exists(path: String)
    /// The existing folder contains a file that does not belong to a model bundle, and is not removed.
    case foreignContent(path: String, name: String)
    /// The output would replace the model that is read.
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
