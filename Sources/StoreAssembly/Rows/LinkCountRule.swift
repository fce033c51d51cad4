import PersistentStores

/// How many objects a relationship of a table's objects must lead to, where that is counted when all objects are there.
public final class LinkCountRule {
    /// Where the links are.
    public enum Place {
        /// Nowhere: nothing says them.
        case nowhere
        /// A to-one link that a table gave a number to, of its own rows.
        case toOne(Int)
        /// A to-one link of another table, or of the same, whose rows lead to the objects that are counted for.
        case inverse(AssembledTable, Int)
        /// A list; of the objects that have it, or of those in it.
        case list(AssembledList, isOwners: Bool)
    }

    let table: AssembledTable
    /// The entity number of the objects; nil for all of the table.
    let entity: Int64?
    let place: Place
    let rule: CountRule
    /// Whether an object and those that it leads to may be of one record.
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
