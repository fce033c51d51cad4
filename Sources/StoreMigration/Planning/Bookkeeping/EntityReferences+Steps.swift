import PersistentStores
import SQLiteAccess

/// The steps that update the numbers and keys in these tables after they have been copied to the result.
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

    /// How the rows of a table change while they are copied to a new file.
    struct Copy {
        /// The columns that get other values.
        var values: [String: ColumnExpression]
        /// The condition for the rows that are copied.
        let condition: String
    }

    /// Returns how the rows of a table change while they are copied; nil if that depends on objects of the result, or
    /// if the table does not name entities.
    func copy(of table: String) -> Copy? {
        guard !recreatesObjects else { return nil }
        let number: String
        var forgotten: String?
        if table == Self.changes, hasChanges {
            (number, forgotten) = ("ZENTITY", forgetsColumns)
        } else if !meanTheSame, numberedMirrors.contains(table) {
            number = "ZENTITYID"
        } else {
            return nil
        }
        var result = Copy(values: [:], condition: "(\(isGone(number))) IS NOT TRUE")
        let numbers = entities.filter(\.isRenumbered).flatMap { entity in
            entity.targets.map { (Int64(entity.number), Int64($0.number)) }
        }
        if !numbers.isEmpty {
            result.values[number] = .replaced(number, Dictionary(numbers, uniquingKeysWith: { first, _ in first }))
        }
        if let forgotten {
            result.values["ZCOLUMNS"] = .row("CASE WHEN \(forgotten) THEN NULL ELSE s.ZCOLUMNS END", base: "ZCOLUMNS")
        }
        return result
    }

    /// - Parameter forgotten: a condition for the rows that name changed columns of entities whose properties change.
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
        // In the mirror's tables, keys are unique together with the number, and rows whose key changes must not be
        // mistaken for those of another entity. Therefore their new numbers are first written as negative ones.
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

    /// Returns the statements for the rows that name objects of an entity, if a mapping model creates the objects.
    private func statements(
        following entity: Entity, in name: String, _ number: String, _ key: String?
    ) -> [(summary: String, sql: String)] {
        let own = "\(number) = \(entity.number)"
        guard let key else {
            // If the entity has become several entities, the number alone does not identify the new one.
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
            // Several rows of history may name one object, while the mirror has one row for each object.
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
