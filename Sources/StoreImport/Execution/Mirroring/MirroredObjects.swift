import PersistentStores
import SQLiteAccess

/// The existing objects that the records of an import contain; the other objects of mirrored entities are deleted.
///
/// They are kept on disk, so that memory is bounded.
final class MirroredObjects {
    /// A relationship whose parts are deleted if their owner no longer has them.
    struct PartPlace {
        let source: Int
        let object: Int
        let slot: Int
        let part: Int
    }

    /// The mirrored entities.
    let slots: [Int]
    let partPlaces: [PartPlace]
    /// The number of rejected records whose objects are not known.
    private(set) var unknownRecords: Int64 = 0

    /// The root entities of the mirrored entities.
    private let roots: Set<Int>
    private let connection: Connection
    private let schema: String
    private let insert: Statement
    private let insertPart: Statement

    /// Returns nil if nothing is mirrored.
    init?(
        _ sources: [CompiledSource], connection: Connection, layout: StoreLayout, schema: String
    ) throws(SQLiteError) {
        let mirrored = sources.flatMap(\.objects).filter { $0.mirrors && $0.hasKey }
        var partPlaces: [PartPlace] = []
        for (index, source) in sources.enumerated() {
            for (object, slots) in source.mirroredParts.enumerated() {
                for slot in slots.sorted() {
                    let relationships = source.objects[object].toOnes + source.objects[object].toManys
                    guard case .object(let part) = relationships[slot].target else { continue }
                    partPlaces.append(PartPlace(source: index, object: object, slot: slot, part: part))
                }
            }
        }
        guard !mirrored.isEmpty || !partPlaces.isEmpty else { return nil }
        slots = Set(mirrored.map(\.slot)).sorted()
        roots = Set(mirrored.map(\.table.root))
        self.partPlaces = partPlaces
        self.connection = connection
        self.schema = schema
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(schema).ferry_had (root INTEGER, object INTEGER, PRIMARY KEY (root, object)) \
            WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS \(schema).ferry_replaced (place INTEGER, object INTEGER, \
            PRIMARY KEY (place, object)) WITHOUT ROWID;
            """)
        insert = try connection.prepare(
            "INSERT OR IGNORE INTO \(schema).ferry_had VALUES (?1, ?2)", persistent: true)
        insertPart = try connection.prepare(
            "INSERT OR IGNORE INTO \(schema).ferry_replaced VALUES (?1, ?2)", persistent: true)
        unknownRecords =
            try connection.value("SELECT count(*) FROM \(schema).ferry_had WHERE root = \(Self.unknown)").integer ?? 0
    }

    /// Used in place of a root, together with the number of the record.
    private static let unknown = -1

    /// Returns whether objects of a table must be recorded, because those in no record are deleted.
    func covers(root: Int) -> Bool { roots.contains(root) }

    /// Records that a record contains an object.
    func note(_ primaryKey: Int64, root: Int) throws(SQLiteError) {
        try insert.bindInteger(Int64(root), at: 1)
        try insert.bindInteger(primaryKey, at: 2)
        try insert.run()
    }

    /// Records a rejected record whose object is not known.
    func noteUnknown(record: Int64) throws(SQLiteError) {
        try note(record, root: Self.unknown)
        unknownRecords += connection.changes
    }

    /// Returns the place of a relationship's parts; nil if they are not deleted.
    func partPlace(_ entity: EntityImport, _ slot: Int) -> Int? {
        partPlaces.firstIndex { $0.source == entity.source.index && $0.object == entity.index && $0.slot == slot }
    }

    /// Records a part that its owner will no longer have.
    func noteReplaced(_ part: Int64, at place: Int) throws(SQLiteError) {
        try insertPart.bindInteger(Int64(place), at: 1)
        try insertPart.bindInteger(part, at: 2)
        try insertPart.run()
    }

    /// Records parts that their owners will no longer have.
    ///
    /// - Parameter links: a query that returns their keys.
    func noteReplaced(_ links: String, at place: Int) throws(SQLiteError) {
        try connection.execute("INSERT OR IGNORE INTO \(schema).ferry_replaced SELECT \(place), object FROM (\(links))")
    }

    /// Returns the condition that no record contains the object of a row `s`.
    func isAbsent(root: Int) -> String {
        "NOT EXISTS (SELECT 1 FROM \(schema).ferry_had h WHERE h.root = \(root) AND h.object = s.Z_PK)"
    }

    /// Returns the condition that the object of a row `s` was a part at a place, and has no owner.
    func isOrphan(at place: Int, _ links: LinkPlace) -> String {
        let replaced = "s.Z_PK IN (SELECT object FROM \(schema).ferry_replaced WHERE place = \(place))"
        return links.kind == .toOne
            ? "\(replaced) AND NOT EXISTS (SELECT 1 FROM \(links.table) o WHERE o.\(links.destination) = s.Z_PK)"
            : "\(replaced) AND s.\(links.owner) IS NULL"
    }

    func close() throws(SQLiteError) {
        try connection.execute(
            "DROP TABLE IF EXISTS \(schema).ferry_had; DROP TABLE IF EXISTS \(schema).ferry_replaced")
    }
}
