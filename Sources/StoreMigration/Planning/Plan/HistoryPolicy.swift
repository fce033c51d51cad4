/// What becomes of persistent history, whose records name entities by number.
public enum HistoryPolicy: String, Sendable, Codable, CaseIterable {
    /// Kept, with the new numbers; changes of entities that are gone go, and are counted. Dropped, and said so, where a
    /// mapping model recreates the objects.
    case automatic = "auto"

    /// Kept; refused where something of it would be lost.
    case keep

    /// Dropped.
    case drop
}
