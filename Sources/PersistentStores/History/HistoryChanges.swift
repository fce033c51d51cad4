import SQLiteAccess

/// The changes of transactions, requested in the order of the transactions.
final class HistoryChanges {
    private let statement: Statement
    private var isAtRow: Bool
    private var hasBegun = false
    private let tombstones: [Int]
    private let names: [Int64: String]
    private let storeUUID: String

    init(_ history: PersistentHistory, _ entities: Set<Int>?, since number: Int64?) throws(SQLiteError) {
        let changes = history.changes
        tombstones = (0..<changes.columns.count).filter { changes.hasColumn("ZTOMBSTONE\($0)") }
        let columns = changes.hasColumn("ZCOLUMNS") ? "ZCOLUMNS" : "NULL"
        statement = try history.store.connection.prepare(
            "SELECT ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, \(columns)"
                + tombstones.map { ", ZTOMBSTONE\($0)" }.joined()
                + " FROM ACHANGE WHERE \(Self.condition(entities)) ORDER BY ZTRANSACTIONID, Z_PK")
        try statement.bindInteger(number ?? -1, at: 1)
        isAtRow = true
        names = Dictionary(
            history.store.entityRecords.map { (Int64($0.number), $0.name) }, uniquingKeysWith: { first, _ in first })
        storeUUID = history.store.metadata.uuid
    }

    /// Returns the condition on rows of `ACHANGE`; its first parameter is the number of the last transaction that is
    /// left out.
    static func condition(_ entities: Set<Int>?) -> String {
        let list = entities.map { $0.sorted().map(String.init).joined(separator: ", ") }
        return "ZTRANSACTIONID > ?1" + (list.map { " AND ZENTITY IN (\($0))" } ?? "")
    }

    func forEach(of number: Int64, _ body: (HistoryChange) throws -> Void) throws {
        // Nothing is read before changes are requested, since the query may have to sort them.
        if !hasBegun { isAtRow = try statement.step() }
        hasBegun = true
        while isAtRow, statement.integer(0) < number { isAtRow = try statement.step() }
        while isAtRow, statement.integer(0) == number {
            try body(change)
            isAtRow = try statement.step()
        }
    }

    private var change: HistoryChange {
        let (entity, key) = (statement.integer(2), statement.integer(3))
        let kinds: [Int64: HistoryChange.Kind] = [0: .inserted, 1: .updated, 2: .deleted]
        var tombstone: [Int: [UInt8]] = [:]
        for (index, number) in tombstones.enumerated() {
            switch statement.value(Int32(5 + index)) {
            case .blob(let bytes), .text(let bytes): tombstone[number] = bytes
            default: break
            }
        }
        return HistoryChange(
            kind: statement.value(1).integer.flatMap { kinds[$0] },
            objectID: names[entity].map { ManagedObjectID(storeUUID: storeUUID, entityName: $0, primaryKey: key) },
            entityNumber: entity, primaryKey: key, columns: statement.value(4).blob, tombstone: tombstone)
    }
}
