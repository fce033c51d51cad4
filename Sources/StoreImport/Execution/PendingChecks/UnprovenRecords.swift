import PersistentStores
import SQLiteAccess

/// Everything that is stored about records which may still be rejected when all records are read, so that each can be
/// revoked completely: their changes, the values that they gave to objects, and the links to objects that they created.
///
/// It does not exist if every record is proven when its batch is written: nothing can then lead to its rejection.
final class UnprovenRecords {
    /// The open records and their changes.
    let records: PendingRecords
    /// The links to objects that the records created.
    let named: NamedLinks
    /// The values that the records gave to objects, in their order.
    let said: RecordedObjects
    /// The unique values that the records replaced.
    let replaced: ReplacedValues
    /// The rejected records that lost a unique value to a record which may be rejected itself.
    let rivals: RejectedRivals
    /// The ends of one-to-one links whose two sides must be made to agree.
    let oneToOnes: OneToOneEnds
    /// The removal of the objects that the records created.
    let removal: ObjectRemoval
    /// The objects that cannot get back the values that they had without a revoked record, because another object has
    /// them.
    var unrestored: [(object: Int64, root: Int)] = []
    /// The roots of objects that records of other entities create, because the records that created them are revoked.
    var rootsOfOtherEntities: Set<Int> = []
    /// The roots of objects with pending links whose destinations are part of unique values. Later records of such
    /// objects may have to be revoked.
    var constrainedRoots: Set<Int> = []
    /// Whether links have been followed again after others were put in order.
    var hasFollowedLostLinks = false
    /// Whether objects with pending links may have been removed, because no record creates them any more.
    var hasUnmadeObjects = false

    /// - Parameters:
    ///   - connection: the connection to the store.
    ///   - schema: the schema of the working tables, `temp` or `main`.
    ///   - layout: the layout of the store.
    ///   - indexes: the keeper of the store's indexes.
    ///   - namedLinks: the number of links that are held in memory at a time.
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

    /// Drops the working tables.
    func close() throws(SQLiteError) {
        try records.close()
        try named.close()
        try said.close()
        try replaced.close()
        try rivals.close()
        try oneToOnes.close()
    }
}
