/// The name of a relationship together with that of its entity, `Entity.relationship`.
public enum RelationshipName {
    /// Returns the names of the entity and the relationship; nil for any other text.
    public static func parts(of text: String) -> (entity: String, relationship: String)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty ? (parts[0], parts[1]) : nil
    }
}
