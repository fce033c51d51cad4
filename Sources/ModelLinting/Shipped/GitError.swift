/// Why a state of the models cannot be extracted from a Git repository.
public struct GitError: Error, Sendable, Hashable {
    /// The kind of an error.
    public enum Code: Sendable, Hashable {
        /// The program `git` is not installed.
        case gitMissing
        /// The path is not in a Git repository.
        case noRepository(path: String)
        /// The repository has no commit with this name.
        case unknownRevision(String)
        /// The files of the models exceed the maximum size.
        case tooLarge(bytes: Int)
        /// The revision has models, but it is not certain which of them are meant.
        case noModels(String, candidates: [String])
        /// An error with the message of Git or the system.
        case failed(String)
    }

    /// The kind of the error.
    public let code: Code

    /// Makes an error of a kind.
    public init(_ code: Code) {
        self.code = code
    }
}

extension GitError: CustomStringConvertible {
    public var description: String {
        switch code {
        case .gitMissing: "there is no git on the search path; install it, or name a folder with the older models"
        case .noRepository(let path): "\(path) is not in a Git repository; name a folder with the older models instead"
        case .unknownRevision(let name):
            "there is no revision \"\(name)\" in the repository, nor a folder of that name; "
                + "in a shallow clone fetch it first (git fetch --tags --unshallow)"
        case .tooLarge(let bytes): "the models of that revision are larger than \(bytes) bytes"
        case .noModels(let revision, let candidates):
            "\(revision) has no models at that path, and which of its models were moved there is not certain: "
                + candidates.prefix(Self.namedCandidates).joined(separator: ", ")
                + (candidates.count > Self.namedCandidates
                    ? " and \(candidates.count - Self.namedCandidates) more" : "")
                + "; name a folder with the older models instead"
        case .failed(let reason):
            "git failed: " + reason.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }

    /// The maximum number of candidates in a message.
    private static let namedCandidates = 5
}
