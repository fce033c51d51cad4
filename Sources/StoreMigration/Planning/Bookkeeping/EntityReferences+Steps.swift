import PersistentStores
import SQLiteAccess

/// The steps that bring the tables, once they are in the result, to the new numbers and keys.
extension EntityReferences {
    var historySteps: [MigrationStep] {
        guard hasChanges else { return [] }
        return steps(table: Self.changes, number: "ZENTITY", key: "ZENTITYPK", forgotten: forgetsColumns)
    }

    var mirrorSteps: [MigrationStep] {
        guard !meanTheSame else { return [] }
        return numberedMirrors.flatMap { table in
            let hasKeys = schema.table(named: table)?.hasColumn("ZENTITYPK") ?? false
            return steps(table: table, number: "ZENTITYID", key: hasKeys ? "ZENTITYPK" : nil, forgotten: nil)
        }
    }

    /// - Parameter forgotten: the rows that name changed columns of entities whose properties change.
    private func steps(table: String, number: String, key: String?, forgotten: String?) -> [MigrationStep] {
        let name = SQLiteIdentifier.quoted(table)
        func step(_ summary: String, _ sql: String) -> MigrationStep {
            MigrationStep(phase: .keptTables, table: table, summary: summary, work: .statement(sql))
        }
        var result = [
            step("remove the rows of entities that are gone", "DELETE FROM main.\(name) WHERE \(isGone(number))")
        ]
        if let forgotten {
            result.append(
                step(
                    "forget the changed columns of entities whose properties change",
                    "UPDATE main.\(name) SET ZCOLUMNS = NULL WHERE \(forgotten)"))
        }
        // Keys are unique in the mirror's tables with the number, and rows whose key changes must not be taken for those
        // of another entity: their new numbers come by way of negative ones.
        let isNegated = recreatesObjects || table != Self.changes
        if recreatesObjects {
            result += entities.flatMap { entity in
                statements(following: entity, in: name, number, key).map { step($0.summary, $0.sql) }
            }
        } else if let condition = isRenumbered(number) {
            let cases = entities.filter(\.isRenumbered).flatMap { entity in
                entity.targets.map { "WHEN \(entity.number) THEN \(isNegated ? "-" : "")\($0.number)" }
            }
            result.append(
                step(
                    "rewrite the entity numbers",
                    "UPDATE main.\(name) SET \(number) = CASE \(number) \(cases.joined(separator: " ")) END "
                        + "WHERE \(condition)"))
        }
        if isNegated, recreatesObjects || entities.contains(where: \.isRenumbered) {
            result.append(
                step(
                    "rewrite the entity numbers", "UPDATE main.\(name) SET \(number) = -\(number) WHERE \(number) < 0"))
        }
        return result
    }

    /// The rows that name objects of one entity, where a mapping model makes the objects.
    private func statements(
        following entity: Entity, in name: String, _ number: String, _ key: String?
    ) -> [(summary: String, sql: String)] {
        let own = "\(number) = \(entity.number)"
        guard let key else {
            // A number alone says nothing where the entity has become several.
            return entity.targets.count == 1
                ? [
                    (
                        "rewrite the entity numbers",
                        "UPDATE main.\(name) SET \(number) = -\(entity.targets[0].number) WHERE \(own)"
                    )
                ]
                : [("remove the rows of a split entity", "DELETE FROM main.\(name) WHERE \(own)")]
        }
        let row = "\(name).\(key)"
        func newKey(_ target: Target) -> String {
            let plain = "\(row) + \(target.offset)"
            // Several rows of history may be of one object; the mirror has one row for each.
            guard name == SQLiteIdentifier.quoted(Self.changes), let united = target.key?(row) else { return plain }
            return "coalesce(\(united), \(plain))"
        }
        func isThere(_ target: Target) -> String {
            "EXISTS (SELECT 1 FROM \(target.table) d WHERE d.Z_PK = \(newKey(target)) "
                + "AND d.Z_ENT = \(target.number))"
        }
        let isLost = "NOT (\(entity.targets.map(isThere).joined(separator: " OR ")))"
        let wasThere =
            entity.targets.count == 1
            ? "EXISTS (SELECT 1 FROM \(entity.table) s WHERE s.Z_PK = \(row) AND s.Z_ENT = \(entity.number)) AND "
            : ""
        return [
            (
                "remove the rows of objects that are gone",
                "DELETE FROM main.\(name) WHERE \(own) AND \(wasThere)\(isLost)"
            )
        ]
            + entity.targets.map { target in
                let condition = entity.targets.count == 1 ? "" : " AND \(isThere(target))"
                return (
                    "rewrite the entity numbers",
                    "UPDATE main.\(name) SET \(number) = -\(target.number), \(key) = \(newKey(target)) "
                        + "WHERE \(own)\(condition)"
                )
            }
    }
}
