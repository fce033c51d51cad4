import ImportMappings
import ManagedObjectModels
import PersistentStores

/// A relationship of an object mapping while records are imported: how its links are written.
final class RelationshipImport {
    let compiled: CompiledRelationship
    /// Whether changes of its links may break a rule of the model for their number.
    let isRuled: Bool
    /// Whether the model limits the number of objects in the relationship, or in its inverse, as a to-many
    /// relationship.
    let isLimited: Bool
    /// Whether a uniqueness constraint contains the column of its links.
    let isUnique: Bool
    /// Whether it creates objects that require links to others; without these links, its records are rejected.
    let makesNeedy: Bool
    /// The number of the relationship, the same in all mappings that contain it.
    var number: Int64 = 0
    /// The writer of its links; nil if the store does not keep the relationship.
    var writer: LinkWriter?
    /// The lists that records contain; nil for a to-one relationship.
    var replacement: LinkReplacement?
    /// The writer of the other side of a to-one relationship; nil if the store keeps nothing there.
    var inverse: InverseWriter?

    /// Whether all links wait until all records are read. Each record takes the object that it names from another
    /// object, so the links are written in the order of the records.
    var waits = false

    /// Whether the pending links of a list are written in the order of the records, because some of them fill empty
    /// lists.
    var isInTurn = false
    /// Whether several mappings set its links, from one side of a one-to-many relationship or from both. All links then
    /// wait, and are written in the order of the records.
    var isShared = false
    /// Whether links between the objects of a record wait as well, and are written in the order of the records: other
    /// mappings have links that wait, or fill only what is empty.
    var waitsInPlace = false
    /// For a to-one relationship whose inverse is mapped as well: the lists that end links which they do not name; nil
    /// if there are none.
    var sharedLists: LinkReplacement?

    init(_ compiled: CompiledRelationship, isRuled: Bool, isLimited: Bool, isUnique: Bool, makesNeedy: Bool) {
        self.compiled = compiled
        self.isRuled = isRuled
        self.isLimited = isLimited
        self.isUnique = isUnique
        self.makesNeedy = makesNeedy
    }

    /// The role of a pending link, apart from what its record adds to it.
    lazy var role: PendingLink.Role = {
        var role: PendingLink.Role = compiled.relationship.isToMany ? [] : .toOne
        if isShared || waitsInPlace { role.insert(.exclusive) }
        guard case .key(let target) = compiled.target else { return role }
        if waits { role.insert(.exclusive) }
        // A record that names an object of a one-to-many relationship takes it from another owner.
        let isOwned = compiled.relationship.isToMany && writer?.place.kind == .foreignKey
        if isInTurn || isOwned { role.insert(.inTurn) }
        if isInTurn && writer?.place.isSymmetric ?? false || isOwned { role.insert(.ofAllOwners) }
        if target.makesMissing { role.insert(.creating) }
        if role.contains(.toOne) ? compiled.isNeeded(target) : target.isRequiredInList { role.insert(.needed) }
        return role
    }()
}
