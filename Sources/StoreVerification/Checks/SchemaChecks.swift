import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Compares tables, columns and indexes with those that the model requires (docs/format/sqlite-store.md).
struct SchemaChecks {
    let verifier: StoreVerifier
    let layout: StoreLayout

    private var schema: StoreSchema { verifier.store.schema }
    private var limit: Int { verifier.options.exampleLimit }

    func findings() -> [VerificationFinding] {
        problems() + layout.tables.flatMap(columns) + unusual() + indexes() + unknown()
    }

    private func problems() -> [VerificationFinding] {
        layout.problems.map { problem in
            switch problem {
            case .missingTable(let table, let entity):
                VerificationFinding(.tableMissing, subject: entity, examples: [table])
            case .missingJoinTable(let relationship, let names):
                VerificationFinding(.tableMissing, subject: relationship, examples: [names.joined(separator: " or ")])
            case .missingColumn(let table, let column, let property):
                VerificationFinding(.columnMissing, subject: property, examples: ["\(table).\(column)"])
            case .missingJoinColumns(let table, let relationship):
                VerificationFinding(.columnMissing, subject: relationship, examples: [table])
            }
        }
    }

    private func columns(of table: EntityTable) -> [VerificationFinding] {
        guard let actual = schema.table(named: table.name) else { return [] }
        var result: [VerificationFinding] = []
        let known = Dictionary(table.columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for column in actual.columns {
            guard let wanted = known[column.name] else {
                result.append(VerificationFinding(.columnSurplus, subject: table.name, examples: [column.name]))
                continue
            }
            guard Affinity(ofType: column.declaredType) != Affinity(ofType: wanted.declaredType) else { continue }
            result.append(
                VerificationFinding(
                    .columnType, subject: "\(table.name).\(column.name)",
                    detail: "\(column.declaredType.isEmpty ? "no type" : column.declaredType) instead of "
                        + wanted.declaredType))
        }
        return result
    }

    private func unusual() -> [VerificationFinding] {
        layout.tables.compactMap { table in
            guard let actual = schema.table(named: table.name), !actual.isPlainEntityTable else { return nil }
            return VerificationFinding(.tableUnusual, subject: table.name, detail: "its rows are not checked")
        }
    }

    private func indexes() -> [VerificationFinding] {
        missingIndexes().map { index in
            VerificationFinding(
                index.isUnique ? .uniquenessUnguarded : .indexMissing, subject: index.table, examples: [index.name])
        }
    }

    /// Returns the indexes that Core Data creates and that are missing, without those for which another index serves.
    func missingIndexes() -> [StoreIndex] {
        let present = schema.tables.reduce(into: [String: [StoredIndex]]()) { result, table in
            result[table.name] = StoredIndex.all(of: table.name, verifier.store.connection)
        }
        let joinTables = Set(layout.joinTables.map(\.name))
        return layout.indexes().indexes.filter { index in
            if joinTables.contains(index.table), !hasJoinIndexes { return false }
            return !(present[index.table] ?? []).contains { $0.serves(index) }
        }
    }

    /// Whether Core Data creates indexes for join tables, as it has since 2015
    /// (docs/format/sqlite-store.md#many-to-many).
    private var hasJoinIndexes: Bool { (verifier.store.metadata.frameworkVersion ?? 637) >= 637 }

    /// Returns findings for tables, views and triggers that are not Core Data's.
    private func unknown() -> [VerificationFinding] {
        let own = Set(
            (layout.tables.map(\.name) + layout.joinTables.map(\.name)
                + BookkeepingTables.createStatements.map(\.table) + ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
                + [InterruptedImport.table])
                .map { $0.uppercased() })
        var names = schema.tables.filter { table in
            let name = table.name.uppercased()
            // R-trees of Core Data, and the mirror of CloudKit.
            return !own.contains(name) && !table.isCloudKitMirror
                && !["SQLITE_", "Z_RT_"].contains(where: name.hasPrefix)
        }.map { "table \($0.name)" }
        for object in schema.objects where object.kind != .index {
            // The triggers of derived attributes, of R-trees, and of user info.
            if object.kind == .trigger, ["Z_DA_", "Z_RT_", "ZT_"].contains(where: object.name.hasPrefix) { continue }
            names.append("\(object.kind.rawValue) \(object.name)")
        }
        guard !names.isEmpty else { return [] }
        return [
            VerificationFinding(.unknownObject, count: Int64(names.count), examples: Array(names.prefix(limit)))
        ]
    }
}
