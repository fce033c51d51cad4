import PersistentStores

/// A relationship of an object mapping while records are imported: how its links are written.
final class RelationshipImport {
    let compiled: CompiledRelationship
    /// Whether changes of its links may break a rule of the model for their number.
    let isRuled: Bool
    /// nil if the store does not keep the relationship.
    var writer: LinkWriter?
    /// What is known of the links that records name; nil for a to-one.
    var replacement: LinkReplacement?
    /// Keeps the other side of a to-one right; nil if that has nothing of its own.
    var inverse: InverseWriter?

    init(_ compiled: CompiledRelationship, isRuled: Bool) {
        self.compiled = compiled
        self.isRuled = isRuled
    }
}
