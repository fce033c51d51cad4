import ImportMappings
import ManagedObjectModels
import PersistentStores

/// A relationship of an object mapping while records are imported: how its links are written.
final class RelationshipImport {
    let compiled: CompiledRelationship
    /// Whether changes of its links may break a rule of the model for their number.
    let isRuled: Bool
    /// Whether the model says to how many objects the relationship, or its inverse, leads as a to-many one.
    let isLimited: Bool
    /// Whether a uniqueness constraint has the column of its links.
    let isUnique: Bool
    /// Whether it creates objects that must lead to others: its records are rejected if these do not.
    let makesNeedy: Bool
    /// All mappings of the relationship have the same number.
    var number: Int64 = 0
    /// nil if the store does not keep the relationship.
    var writer: LinkWriter?
    /// What is known of the links that records name; nil for a to-one.
    var replacement: LinkReplacement?
    /// Keeps the other side of a to-one right; nil if that has nothing of its own.
    var inverse: InverseWriter?

    /// Whether all links wait: who names an object takes it from another one, so that they are written in the order of the
    /// records when all of these are read.
    var waits = false

    /// Whether the links of a list that wait are written in the order of the records: some fill what is empty.
    var isInTurn = false
    /// Whether several mappings say its links, from one side of a one-to-many relationship or from both: all that is said
    /// waits, and counts in the order of the records.
    var isShared = false
    /// Of a to-one whose inverse is mapped too, what is known of the lists that end what they do not name; nil if none does.
    var sharedLists: LinkReplacement?

    init(_ compiled: CompiledRelationship, isRuled: Bool, isLimited: Bool, isUnique: Bool, makesNeedy: Bool) {
        self.compiled = compiled
        self.isRuled = isRuled
        self.isLimited = isLimited
        self.isUnique = isUnique
        self.makesNeedy = makesNeedy
    }

    /// What a waiting link of the relationship is for, beside what its record says.
    lazy var role: PendingLink.Role = {
        var role: PendingLink.Role = compiled.relationship.isToMany ? [] : .toOne
        if isShared { role.insert(.exclusive) }
        guard case .key(let target) = compiled.target else { return role }
        if waits { role.insert(.exclusive) }
        // Who names an object of a one-to-many relationship takes it from another one.
        let isOwned = compiled.relationship.isToMany && writer?.place.kind == .foreignKey
        if isInTurn || isOwned { role.insert(.inTurn) }
        if isInTurn && writer?.place.isSymmetric ?? false || isOwned { role.insert(.ofAllOwners) }
        if target.makesMissing { role.insert(.creating) }
        if role.contains(.toOne) ? compiled.isNeeded(target) : target.isRequiredInList { role.insert(.needed) }
        return role
    }()
}
