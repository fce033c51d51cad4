/// How persistent history is migrated, whose records name entities by number.
public enum HistoryPolicy: String, Sendable, Codable, CaseIterable {
    /// History is kept with the new numbers; changes of removed entities are removed and counted. If a mapping model
    /// recreates the objects, history is dropped and this is reported.
    case automatic = "auto"

    /// History is kept; the migration is refused if a part of it would be lost.
    case keep

    /// History is dropped.
    case drop
}
