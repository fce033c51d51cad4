/// What a fleet's shards do to each of their stores.
public enum FleetOperation: String, Sendable, Codable, CaseIterable {
    /// Brings each store to a version of its model.
    case migrate
    /// Looks for what is wrong with each store; nothing is written to it.
    case verify
}
