import PersistentStores
import SQLiteAccess

/// The steps that update the numbers in these tables where they are, and the values that their rows get in a new file.
extension EntityReferences {
    var historySteps: [MigrationStep] {
        guard hasChanges else { return [] }
        return steps(table: Self.changes, number: "ZENTITY", forgotten: forgetsColumns)
    }

    var mirrorSteps: [MigrationStep] {
        guard !meanTheSame else { return [] }
        return numberedMirrors.flatMap { steps(table: $0, number: "ZENTITYID", forgotten: nil) }
    }

    /// How the rows of a table change while they are copied to a new file.
    struct Copy {
        /// The columns that get other values.
        var values: [String: ColumnExpression]
        /// The condition for the rows that are copied.
        let condition: String
    }

    /// Returns how the rows of a table change while they are copied; nil if the table does not name entities.
    func copy(of table: String) -> Copy? {
        let number: String
        var key: String?
        var forgotten: String?
        if table == Self.changes, hasChanges {
            (number, key, forgotten) = ("ZENTITY", "ZENTITYPK", forgetsColumns)
        } else if !meanTheSame, numberedMirrors.contains(table) {
            number = "ZENTITYID"
            key = schema.table(named: table)?.hasColumn("ZENTITYPK") ?? false ? "ZENTITYPK" : nil
        } else {
            return nil
        }
        let isKept = "(\(isGone(number))) IS NOT TRUE"
        var result =
            recreatesObjects ? followed(number, key, isKept, unites: table == Self.changes) : kept(number, isKept)
        if let forgotten {
            result.values["ZCOLUMNS"] = .row("CASE WHEN \(forgotten) THEN NULL ELSE s.ZCOLUMNS END", base: "ZCOLUMNS")
        }
        return result
    }

    /// Returns the copy of rows that name objects which are kept.
    private func kept(_ number: String, _ isKept: String) -> Copy {
        let numbers = Self.numbers(of: entities.filter(\.isRenumbered))
        return Copy(values: numbers.isEmpty ? [:] : [number: .replaced(number, numbers)], condition: isKept)
    }

    /// Returns the new numbers of entities by their old ones.
    private static func numbers(of entities: [Entity]) -> [Int64: Int64] {
        let numbers = entities.flatMap { entity in
            entity.targets.map { (Int64(entity.number), Int64($0.number)) }
        }
        return Dictionary(numbers, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the copy of rows that name objects which a mapping model creates.
    ///
    /// - Parameters:
    ///   - key: the column with the objects' keys; nil if there is none.
    ///   - unites: whether several rows may name one object. The mirror has one row for each object.
    private func followed(_ number: String, _ key: String?, _ isKept: String, unites: Bool) -> Copy {
        guard let key else {
            // If an entity has become several entities, the number alone does not identify the new one.
            let split = entities.filter { $0.targets.count > 1 }.map(\.number)
            return Copy(
                values: [number: .replaced(number, Self.numbers(of: entities.filter { $0.targets.count == 1 }))],
                condition: isKept + (split.isEmpty ? "" : " AND (\(number) IN (\(Self.list(split)))) IS NOT TRUE"))
        }
        let source = "s.\(key)"
        func united(_ target: Target) -> String? { unites ? target.creation?.unitedKey?(source) : nil }
        func newKey(_ target: Target) -> String {
            let plain = source + MappedTransferBuilder.plus(target.offset)
            return united(target).map { "coalesce(\($0), \(plain))" } ?? plain
        }
        func isThere(_ target: Target) -> String {
            united(target).map { "\($0) IS NOT NULL" } ?? target.creation?.isThere(source) ?? "0"
        }
        /// Returns a value for each entity's rows, from a value for each of its destinations.
        func value(_ column: String, _ value: (Target) -> String) -> ColumnExpression {
            let cases = entities.map { entity in
                let values =
                    entity.targets.count == 1
                    ? value(entity.targets[0])
                    : "CASE " + entity.targets.map { "WHEN \(isThere($0)) THEN \(value($0)) " }.joined() + "END"
                return "WHEN \(entity.number) THEN \(values) "
            }
            return .lookup("CASE s.\(number) \(cases.joined())ELSE s.\(column) END")
        }
        // Rows about deleted objects are kept if only one mapping leads from their entity.
        let conditions = entities.map { entity in
            let wasDeleted =
                entity.targets.count == 1
                ? [
                    "NOT EXISTS (SELECT 1 FROM \(entity.table) m WHERE m.Z_PK = \(source) AND m.Z_ENT = \(entity.number))"
                ] : []
            return "WHEN \(entity.number) THEN \(Disjunction.sql(wasDeleted + entity.targets.map(isThere))) "
        }
        return Copy(
            values: [number: value(number) { "\($0.number)" }, key: value(key, newKey)],
            condition: isKept + (conditions.isEmpty ? "" : " AND CASE s.\(number) \(conditions.joined())ELSE 1 END"))
    }

    // MARK: Existing files

    /// - Parameter forgotten: a condition for the rows that name changed columns of entities whose properties change.
    private func steps(table: String, number: String, forgotten: String?) -> [MigrationStep] {
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
        guard let condition = isRenumbered(number) else { return result }
        // In the mirror's tables, keys are unique together with the number, and rows whose number changes must not be
        // mistaken for those of another entity. Therefore their new numbers are first written as negative ones.
        let isNegated = table != Self.changes
        let cases = entities.filter(\.isRenumbered).flatMap { entity in
            entity.targets.map { "WHEN \(entity.number) THEN \(isNegated ? "-" : "")\($0.number)" }
        }
        result.append(
            step(
                "rewrite the entity numbers",
                "UPDATE main.\(name) SET \(number) = CASE \(number) \(cases.joined(separator: " ")) END "
                    + "WHERE \(condition)"))
        if isNegated {
            result.append(
                step(
                    "rewrite the entity numbers", "UPDATE main.\(name) SET \(number) = -\(number) WHERE \(number) < 0"))
        }
        return result
    }
}
