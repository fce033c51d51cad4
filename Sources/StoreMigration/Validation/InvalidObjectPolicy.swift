/// How a migration continues if its mapping model, policies, passes or stages compute data that the model does not
/// allow.
public enum InvalidObjectPolicy: String, Codable, Sendable, CaseIterable {
    /// The migration is refused, as saving the objects would be.
    case refuse
    /// The objects are written, and reported.
    case report
}
