/// What becomes of persistent history, whose records name entities by number.
public enum HistoryPolicy: String, Sendable, CaseIterable {
    /// Kept while the entity numbers still mean the same, else dropped, and said so.
    case automatic = "auto"

    /// Kept; refused where the numbers change.
    case keep

    case drop
}
