import PersistentStores

/// A rule for the number of links that objects of a table must have for a relationship, which is checked after all
/// objects have been added.
public final class LinkCountRule {
    /// The place of the links.
    public enum Place {
        /// No mapping sets the links.
        case nowhere
        /// A to-one link of the table's own rows, by its number.
        case toOne(Int)
        /// A to-one link of the rows of a table, by its number, that leads to the objects whose links are counted.
        case inverse(AssembledTable, Int)
        /// A list. The links are counted for the owners, or for the objects in it.
        case list(AssembledList, isOwners: Bool)
    }

    let table: AssembledTable
    /// The entity number of the objects; nil for all objects of the table.
    let entity: Int64?
    let place: Place
    let rule: CountRule
    /// Whether an object and its destinations may belong to one record.
    let isOfRecords: Bool

    init(_ table: AssembledTable, entity: Int64?, _ place: Place, _ rule: CountRule, isOfRecords: Bool) {
        self.table = table
        self.entity = entity
        self.place = place
        self.rule = rule
        self.isOfRecords = isOfRecords
    }

    func isTooMany(_ count: Int64) -> Bool { rule.maximum > 0 && count > rule.maximum }

    func isTooFew(_ count: Int64) -> Bool { count < rule.minimum && !(count == 0 && rule.isOptional) }
}
