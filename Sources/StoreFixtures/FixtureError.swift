/// Why no store with made-up data was made.
public enum FixtureError: Error, Sendable, Hashable {
    /// `isCancelled` asked for the end.
    case cancelled
    /// A constraint that the made-up data break after all.
    case notUnique(String)
    /// What of the file cannot be built, or is wrong with it after all.
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
