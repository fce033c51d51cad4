import PersistentStores
import SQLiteAccess

/// What is kept of the records that may still be rejected when all are read, so that each can be taken back whole: what
/// they changed, what they said of objects, and which links lead to what they made.
///
/// An import has none if every record is proven when its batch is written.
final class UnprovenRecords {
    /// The records, and what they changed.
    let records: PendingRecords
    /// The links that lead to objects which the records made.
    let named: NamedLinks
    /// What the records said of objects, one after the other.
    let said: RecordedObjects
    /// The values that records replaced.
    let replaced: ReplacedValues
    /// Which rejected records lost a value to one that may be rejected itself.
    let rivals: RejectedRivals
    /// The ends of one-to-one links that have to be made to agree.
    let oneToOnes: OneToOneEnds
    /// Removes what the records made.
    let removal: ObjectRemoval
    /// Objects that cannot have the values yet that they have without a record which is taken back: another has them.
    var unrestored: [(object: Int64, root: Int)] = []
    /// The roots of objects that links wait for whose destinations are part of values that must be unique: what later records
    /// say of such objects may have to be taken back.
    var constrainedRoots: Set<Int> = []
    /// Whether links were followed again after others were put in order.
    var hasFollowedLostLinks = false
    /// Whether objects have gone that records name whose links wait.
    var hasUnmadeObjects = false

    /// - Parameters:
    ///   - schema: where the notes are kept, `temp` or `main`.
    ///   - namedLinks: the links that are held in memory at a time.
    init(
        _ connection: Connection, schema: String, layout: StoreLayout, indexes: IndexKeeper, namedLinks: Int
    ) throws(SQLiteError) {
        records = try PendingRecords(connection, schema: schema)
        named = try NamedLinks(connection, schema: schema, windowSize: namedLinks)
        said = try RecordedObjects(connection, schema: schema)
        replaced = try ReplacedValues(connection, schema: schema)
        rivals = try RejectedRivals(connection, schema: schema)
        oneToOnes = try OneToOneEnds(connection, schema: schema)
        removal = ObjectRemoval(connection, layout: layout, indexes: indexes)
    }

    /// Drops the tables of the notes.
    func close() throws(SQLiteError) {
        try records.close()
        try named.close()
        try said.close()
        try replaced.close()
        try rivals.close()
        try oneToOnes.close()
    }
}
