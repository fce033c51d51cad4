/// Why no store with generated data was made.
public enum FixtureError: Error, Sendable, Hashable {
    /// The operation was cancelled by `isCancelled`.
    case cancelled
    /// The generated data violate a constraint.
    case notUnique(String)
    /// A part of the file could not be built, or is invalid.
    case notBuilt(String)
}

extension FixtureError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cancelled: "stopped; nothing was written"
        case .notBuilt(let problem): "the store could not be built, and is not kept: \(problem)"
        case .notUnique(let reason):
            "the data that were made up break a uniqueness constraint (\(reason)); ask for fewer rows with --rows"
        }
    }
}
