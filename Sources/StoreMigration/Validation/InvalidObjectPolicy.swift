/// What becomes of a migration whose mapping model, policies, passes or stages compute what the model forbids.
public enum InvalidObjectPolicy: String, Codable, Sendable, CaseIterable {
    /// The migration is refused, as a save would be.
    case refuse
    /// The objects are written, and reported.
    case report
}
