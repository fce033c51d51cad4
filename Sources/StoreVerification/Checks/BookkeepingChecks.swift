import KeyedArchives
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Checks the tables that every store has besides those of its model (docs/format/sqlite-store.md#bookkeeping-tables
/// and docs/format/sqlite-store.md#metadata and docs/format/sqlite-store.md#persistent-history).
struct BookkeepingChecks {
    let verifier: StoreVerifier

    private var store: SQLiteStore { verifier.store }
    private var connection: Connection { store.connection }
    private var limit: Int { verifier.options.exampleLimit }

    func findings() throws -> [VerificationFinding] {
        var result = try metadata()
        result += modelHashes()
        result += entityNumbers()
        result += try primaryKeys()
        if verifier.isAsked(.historyInconsistent) { result += try history() }
        return result
    }

    private func metadata() throws(SQLiteError) -> [VerificationFinding] {
        var faults: [String] = []
        let rows = try connection.value("SELECT count(*) FROM Z_METADATA").integer ?? 0
        if rows != 1 { faults.append("Z_METADATA has \(rows) rows instead of one") }
        let metadata = store.metadata
        if UUIDBytes(metadata.uuid.utf8) == nil || metadata.uuid != metadata.uuid.uppercased() {
            faults.append("\(metadata.uuid.prefix(60).debugDescription) is not a UUID in upper case")
        }
        if metadata.storeType != StoreType.sqlite.rawValue {
            faults.append("NSStoreType is \((metadata.storeType ?? "absent").prefix(60)) instead of SQLite")
        }
        if let version = metadata.entries[StoreMetadata.Key.versionHashesVersion]?.integer, version != 3 {
            faults.append("NSStoreModelVersionHashesVersion is \(version) instead of 3")
        }
        let hashes = metadata.entries[StoreMetadata.Key.versionHashes]?.dictionary
        if hashes == nil { faults.append("there are no version hashes") }
        for (name, value) in hashes ?? .init() where value.data?.count != 32 {
            faults.append("the version hash of \(name.prefix(60)) is not of 32 bytes")
        }
        guard !faults.isEmpty else { return [] }
        return [
            VerificationFinding(.metadataInvalid, count: Int64(faults.count), examples: Array(faults.prefix(limit)))
        ]
    }

    /// Checks the version hashes. If the user named the model, they may differ from the store's.
    private func modelHashes() -> [VerificationFinding] {
        guard verifier.model != nil, !verifier.hashes.isEmpty else { return [] }
        let stored = store.metadata.versionHashes
        let differing = Set(stored.keys).union(verifier.hashes.keys).filter { stored[$0] != verifier.hashes[$0] }
        guard !differing.isEmpty else { return [] }
        return [
            VerificationFinding(
                .modelUnknown,
                detail: "the named version has other hashes for these "
                    + "entities", count: Int64(differing.count),
                examples: Array(differing.sorted().prefix(limit)))
        ]
    }

    private func entityNumbers() -> [VerificationFinding] {
        let records = store.entityRecords.filter { !$0.isSystem }
        var faults: [String] = []
        let repeated = Dictionary(grouping: records, by: \.name).filter { $0.value.count > 1 }
        for (name, rows) in repeated.sorted(by: { $0.key < $1.key }) {
            faults.append("\(name) has \(rows.count) rows")
        }
        let byName = Dictionary(records.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let byNumber = Dictionary(records.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        for entity in verifier.model?.entities ?? [] {
            // An in-place migration leaves the old name of a renamed entity, so the number is used.
            guard let record = byName[entity.name] ?? byNumber[entity.number] else {
                faults.append("\(entity.name) has no row")
                continue
            }
            let parent = entity.superentity.map { verifier.model?.entities[$0].number ?? 0 } ?? 0
            if record.number != entity.number {
                faults.append("\(entity.name) is number \(record.number) instead of \(entity.number)")
            } else if record.superentityNumber != parent {
                faults.append("\(entity.name) has the parent \(record.superentityNumber) instead of \(parent)")
            }
        }
        guard !faults.isEmpty else { return [] }
        if let model = verifier.model, FormerEntityOrder(of: model).isKept(by: records) {
            return [VerificationFinding(.formerEntityOrder, subject: "Z_PRIMARYKEY")]
        }
        return [
            VerificationFinding(.entityNumberWrong, count: Int64(faults.count), examples: Array(faults.prefix(limit)))
        ]
    }

    /// Checks the highest keys. The row of the root entity has the highest key that its table has assigned.
    private func primaryKeys() throws(SQLiteError) -> [VerificationFinding] {
        guard verifier.isAsked(.primaryKeyBehind) else { return [] }
        var result: [VerificationFinding] = []
        for record in store.entityRecords where record.superentityNumber == 0 {
            let table = record.isSystem ? "A" + record.name.uppercased() : "Z" + record.name.uppercased()
            guard let found = store.schema.table(named: table), found.isPlainEntityTable else { continue }
            let highest =
                try connection.value(
                    "SELECT max(Z_PK) FROM \(SQLiteIdentifier.quoted(found.name))"
                ).integer ?? 0
            guard highest > record.maximumKey else { continue }
            result.append(
                VerificationFinding(
                    .primaryKeyBehind, subject: record.name,
                    detail: "Z_MAX is \(record.maximumKey), and \(highest) is used"))
        }
        return result
    }

    private func history() throws(SQLiteError) -> [VerificationFinding] {
        func has(_ table: String, _ columns: String...) -> Bool {
            guard let found = store.schema.table(named: table) else { return false }
            return columns.allSatisfy(found.hasColumn)
        }
        var questions: [(subject: String, detail: String, from: String)] = []
        if has("ACHANGE", "ZTRANSACTIONID", "ZENTITY", "ZCHANGETYPE") {
            let numbers = store.entityRecords.map { String($0.number) }.joined(separator: ", ")
            if has("ATRANSACTION") {
                questions.append(
                    (
                        "ACHANGE", "changes of no transaction",
                        "ACHANGE c WHERE NOT EXISTS (SELECT 1 FROM ATRANSACTION t WHERE t.Z_PK = c.ZTRANSACTIONID)"
                    ))
            }
            questions.append(
                (
                    "ACHANGE", "changes of no entity",
                    "ACHANGE c WHERE c.ZENTITY IS NULL OR c.ZENTITY NOT IN (\(numbers))"
                ))
            questions.append(
                (
                    "ACHANGE", "changes that are neither inserts, updates nor deletes",
                    "ACHANGE c WHERE c.ZCHANGETYPE IS NULL OR c.ZCHANGETYPE NOT IN (0, 1, 2)"
                ))
        }
        for column in ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"]
        where has("ATRANSACTION", column) && has("ATRANSACTIONSTRING") {
            questions.append(
                (
                    "ATRANSACTION", "\(column) names no string",
                    "ATRANSACTION t WHERE t.\(column) > 0 AND NOT EXISTS "
                        + "(SELECT 1 FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.\(column))"
                ))
        }
        var result: [VerificationFinding] = []
        for question in questions {
            let count = try connection.value("SELECT count(*) FROM \(question.from)").integer ?? 0
            guard count > 0 else { continue }
            result.append(
                VerificationFinding(
                    .historyInconsistent, subject: question.subject, detail: question.detail, count: count))
        }
        return result
    }
}
