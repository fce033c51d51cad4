import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// Makes the statements that repair a store, rule by rule; they select the affected rows when they run.
struct RepairPlanner {
    let content: ContentChecks
    let tests: ValueTests
    let external: ExternalFileInventory
    let keep: Survivor

    private var layout: StoreLayout { content.layout }
    private var model: ResolvedModel { content.model }

    /// - Throws: `RepairError` if the survivor of duplicates cannot be determined.
    func steps(for rule: VerificationRule) throws -> [RepairStep] {
        switch rule {
        case .databaseDamaged: [RepairStep(rule: rule, subject: "indexes", sql: "REINDEX")]
        case .uniquenessViolated: try duplicates()
        case .danglingJoinRow: layout.joinTables.flatMap(danglingJoinRows)
        case .oneSidedInverse: inverses() + rowSteps(rule)
        case .orderKeys: places()
        case .primaryKeyBehind: primaryKeys()
        case .indexMissing: indexes(unique: false)
        case .uniquenessUnguarded: indexes(unique: true)
        case .externalFileUnused: []
        default: rowSteps(rule)
        }
    }

    // MARK: Rows that break a rule by themselves

    /// Returns the steps for rows, which are determined by their checks.
    private func rowSteps(_ rule: VerificationRule) -> [RepairStep] {
        var result: [RepairStep] = []
        for table in layout.tables where content.isPlain(table) {
            let name = SQLiteIdentifier.quoted(table.name)
            for scan in content.scans(of: table, tests, external) {
                for check in scan.checks where check.rule == rule {
                    guard let repair = check.repair else { continue }
                    let rows = "Z_PK IN (\(scan.keys(of: check)))"
                    result.append(
                        RepairStep(
                            rule: rule, subject: check.subject, sql: Self.statement(repair, name, rows),
                            objects: ("SELECT Z_PK, Z_ENT FROM \(name) WHERE \(rows)", table.root)))
                }
            }
        }
        return result
    }

    /// Returns a statement that changes rows and increments their versions, as every save does.
    private static func statement(_ repair: RowRepair, _ table: String, _ rows: String) -> String {
        switch repair {
        case .delete: return "DELETE FROM \(table) WHERE \(rows)"
        case .set(let columns):
            var assignments = columns.map { "\($0.column) = \($0.value)" }
            if !columns.contains(where: { $0.column == "Z_OPT" }) { assignments.append(ObjectVersion.raised()) }
            return "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \(rows)"
        }
    }

    // MARK: Links

    private func danglingJoinRows(_ join: JoinTable) -> [RepairStep] {
        let owner = model.entities[join.relationship.owner]
        guard let relationship = owner.relationship(named: join.relationship.name),
            let owners = layout.table(ofEntity: relationship.owner), content.isPlain(owners),
            let destinations = layout.table(ofEntity: relationship.destination), content.isPlain(destinations)
        else { return [] }
        func isThere(_ column: String, _ table: EntityTable, _ slot: Int) -> String {
            "EXISTS (SELECT 1 FROM \(SQLiteIdentifier.quoted(table.name)) o WHERE o.Z_PK = "
                + "\(SQLiteIdentifier.quoted(join.name)).\(SQLiteIdentifier.quoted(column)) "
                + "AND o.Z_ENT IN (\(content.numbers(ofSubtree: slot))))"
        }
        let first = isThere(join.ownerColumn, owners, relationship.owner)
        let second = isThere(join.destinationColumn, destinations, relationship.destination)
        return [
            RepairStep(
                rule: .danglingJoinRow, subject: "\(owner.name).\(relationship.name)",
                sql: "DELETE FROM \(SQLiteIdentifier.quoted(join.name)) WHERE NOT (\(first) AND \(second))")
        ]
    }

    /// Returns steps that complete inverses if the other side is free; remaining links are set to NULL by the rows' own
    /// checks.
    private func inverses() -> [RepairStep] {
        var result: [RepairStep] = []
        for entity in model.entities {
            for relationship in entity.declaredRelationships
            where relationship.isStored && relationship.storage == .toOne {
                guard let inverse = relationship.inverse, !inverse.isToMany, !inverse.isTransient,
                    let key = layout.column(.toOne(relationship.key)), let back = layout.column(.toOne(inverse.key)),
                    let table = layout.table(ofEntity: entity.slot), content.isPlain(table),
                    let target = layout.table(ofEntity: relationship.destination), content.isPlain(target)
                else { continue }
                let (name, other) = (SQLiteIdentifier.quoted(table.name), SQLiteIdentifier.quoted(target.name))
                let column = SQLiteIdentifier.quoted(back.name)
                let rows =
                    "FROM \(name) s WHERE s.\(SQLiteIdentifier.quoted(key.name)) = \(other).Z_PK "
                    + "AND s.Z_ENT IN (\(content.numbers(ofSubtree: relationship.owner)))"
                var assignments = ["\(column) = (SELECT min(s.Z_PK) \(rows))", ObjectVersion.raised()]
                if let number = layout.column(.toOneEntity(inverse.key)) {
                    assignments.append(
                        "\(SQLiteIdentifier.quoted(number.name)) = (SELECT s.Z_ENT \(rows) ORDER BY s.Z_PK LIMIT 1)")
                }
                let free =
                    "\(column) IS NULL AND Z_ENT IN (\(content.numbers(ofSubtree: relationship.destination))) "
                    + "AND EXISTS (SELECT 1 \(rows))"
                result.append(
                    RepairStep(
                        rule: .oneSidedInverse, subject: "\(model.entities[inverse.owner].name).\(inverse.name)",
                        sql: "UPDATE \(other) SET \(assignments.joined(separator: ", ")) WHERE \(free)",
                        objects: ("SELECT Z_PK, Z_ENT FROM \(other) WHERE \(free)", target.root)))
            }
        }
        for join in layout.joinTables where join.isSelfInverse {
            let name = SQLiteIdentifier.quoted(join.name)
            let columns = [join.ownerColumn, join.destinationColumn].map { SQLiteIdentifier.quoted($0) }
            result.append(
                RepairStep(
                    rule: .oneSidedInverse,
                    subject: "\(model.entities[join.relationship.owner].name).\(join.relationship.name)",
                    sql: "INSERT OR IGNORE INTO \(name) (\(columns[0]), \(columns[1])) "
                        + "SELECT \(columns[1]), \(columns[0]) FROM \(name) j WHERE NOT EXISTS (SELECT 1 FROM \(name) "
                        + "k "
                        + "WHERE k.\(columns[0]) = j.\(columns[1]) AND k.\(columns[1]) = j.\(columns[0]))"))
        }
        return result
    }

    // MARK: Places

    /// Returns steps that assign order keys as Core Data does.
    private func places() -> [RepairStep] {
        var result: [RepairStep] = []
        for entity in model.entities {
            for relationship in entity.declaredRelationships where relationship.isStored && relationship.isOrdered {
                guard let place = LinkPlace(relationship, layout: layout), let order = place.order else { continue }
                // In a join table its own rows are numbered, otherwise the rows of the elements.
                let isJoin = place.kind == .joinTable
                let key = isJoin ? "rowid" : "Z_PK"
                let troubled =
                    "SELECT \(place.owner) FROM \(place.table) WHERE \(place.owner) IS NOT NULL "
                    + "GROUP BY \(place.owner) HAVING count(*) <> count(DISTINCT \(order))"
                let numbered =
                    "SELECT \(key) AS k, row_number() OVER (PARTITION BY \(place.owner) "
                    + "ORDER BY \(order) IS NULL, \(order), \(key)) AS n FROM \(place.table) "
                    + "WHERE \(place.owner) IN (\(troubled))"
                result.append(
                    RepairStep(
                        rule: .orderKeys, subject: "\(entity.name).\(relationship.name)",
                        sql: "UPDATE \(place.table) SET \(order) = \(OrderKeys.key(at: "(p.n - 1)"))"
                            + (isJoin ? "" : ", \(ObjectVersion.raised())")
                            + " FROM (\(numbered)) p WHERE \(place.table).\(key) = p.k"))
            }
        }
        return result
    }

    // MARK: Duplicates

    private func duplicates() throws -> [RepairStep] {
        var result: [RepairStep] = []
        for entity in model.entities {
            guard let table = layout.table(ofEntity: entity.slot), content.isPlain(table) else { continue }
            for properties in entity.description.uniquenessConstraints where !properties.isEmpty {
                let columns = properties.compactMap { layout.storedColumn(ofProperty: $0, in: entity)?.name }
                guard columns.count == properties.count else { continue }
                let names = columns.map { SQLiteIdentifier.quoted($0) }
                let name = SQLiteIdentifier.quoted(table.name)
                let rows = ["Z_ENT IN (\(content.numbers(ofSubtree: entity.slot)))"] + names.map { "\($0) IS NOT NULL" }
                let ranked =
                    "SELECT Z_PK AS k, row_number() OVER (PARTITION BY \(names.joined(separator: ", ")) "
                    + "ORDER BY \(try order(in: entity))) AS n FROM \(name) WHERE \(rows.joined(separator: " AND "))"
                let surplus = "Z_PK IN (SELECT k FROM (\(ranked)) WHERE n > 1)"
                result.append(
                    RepairStep(
                        rule: .uniquenessViolated, subject: entity.name, sql: "DELETE FROM \(name) WHERE \(surplus)",
                        objects: ("SELECT Z_PK, Z_ENT FROM \(name) WHERE \(surplus)", table.root)))
            }
        }
        return result
    }

    /// Returns the sort order in which the survivor comes first.
    private func order(in entity: ResolvedEntity) throws -> String {
        switch keep {
        case .first: return "Z_PK"
        case .last: return "Z_PK DESC"
        case .newest(let attribute):
            guard let found = entity.attribute(named: attribute), let column = layout.column(.attribute(found.key))
            else {
                throw RepairError(
                    code: .unknownAttribute(attribute, entity: entity.name), path: content.verifier.files.path)
            }
            return "\(SQLiteIdentifier.quoted(column.name)) DESC NULLS LAST, Z_PK DESC"
        }
    }

    // MARK: Bookkeeping

    private func primaryKeys() -> [RepairStep] {
        content.verifier.store.entityRecords.filter { $0.superentityNumber == 0 }.compactMap { record in
            let prefix = record.isSystem ? "A" : "Z"
            guard let table = content.verifier.store.schema.table(named: prefix + record.name.uppercased()),
                table.isPlainEntityTable
            else { return nil }
            let highest = "(SELECT max(Z_PK) FROM \(SQLiteIdentifier.quoted(table.name)))"
            return RepairStep(
                rule: .primaryKeyBehind, subject: record.name,
                sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = \(highest) WHERE Z_ENT = \(record.number) AND Z_MAX < \(highest)")
        }
    }

    private func indexes(unique: Bool) -> [RepairStep] {
        SchemaChecks(verifier: content.verifier, layout: layout).missingIndexes().filter { $0.isUnique == unique }.map {
            RepairStep(
                rule: unique ? .uniquenessUnguarded : .indexMissing, subject: $0.name, sql: $0.createStatement)
        }
    }
}
