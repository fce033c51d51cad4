import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// Checks the objects that a mapping model, policies or stages have created against the rules of the model, before the
/// file is moved to its place. The source is attached as `source`.
///
/// Each table whose entities have rules is read once; only rows that violate a rule are read again.
struct ResultValidation {
    let connection: Connection
    let layout: StoreLayout
    let program: ValidationProgram
    let storeUUID: String

    /// Returns the findings: errors if the migration must be refused, and notes about violations that were only copied.
    func findings() throws(SQLiteError) -> [MigrationFinding] {
        let tests = try ValueTests(connection)
        var result: [MigrationFinding] = []
        for table in layout.tables {
            result += try valueFindings(checks(of: table, tests), table)
            for slot in layout.model.entities[table.root].subtree {
                for relationship in layout.model.entities[slot].declaredRelationships
                where relationship.isStored && relationship.isToMany {
                    result += try countFindings(relationship, table)
                }
            }
        }
        return result + (try oneSidedFindings())
            + tests.unchecked.map {
                MigrationFinding(
                    .note, "rule-not-checked", cocoaCode: 1550, subject: $0.subject,
                    message: "a rule of the model cannot be evaluated: \($0.reason)")
            }
    }

    // MARK: - Values

    /// A rule for the rows `d` of a table.
    private struct Check {
        let subject: String
        let fault: ValidationFault
        let detail: String?
        let condition: String
        /// The quoted column.
        let column: String
        /// The condition that the value was copied; nil if it never is.
        let isCopied: String?
    }

    private func checks(of table: EntityTable, _ tests: ValueTests) -> [Check] {
        RowRule.rules(for: table, in: layout, tests).filter { $0.fault != .missing || program.looksForMissingValues }
            .map {
                Check(
                    subject: $0.subject, fault: $0.fault, detail: $0.detail, condition: $0.condition, column: $0.column,
                    isCopied: isCopied($0))
            }
    }

    private func isCopied(_ rule: RowRule) -> String? {
        let conditions = program.origins.compactMap { origin in
            rule.fault == .missing && origin.newlyRequired.contains(rule.property)
                ? nil : origin.isCopied(rule.property, column: rule.column, row: "d")
        }
        return conditions.isEmpty ? nil : Disjunction.sql(conditions)
    }

    /// A result of SQLite has at most 2000 columns.
    private static let maximumChecks = 400

    private func valueFindings(_ checks: [Check], _ table: EntityTable) throws(SQLiteError) -> [MigrationFinding] {
        let from = "FROM main.\(SQLiteIdentifier.quoted(table.name)) d"
        var result: [MigrationFinding] = []
        for start in stride(from: 0, to: checks.count, by: Self.maximumChecks) {
            let some = checks[start..<min(start + Self.maximumChecks, checks.count)]
            let counts = some.map { "count(CASE WHEN \($0.condition) THEN 1 END)" }
            let answer = try connection.rows("SELECT \(counts.joined(separator: ", ")) \(from)").first ?? []
            for (check, count) in zip(some, answer) where count.integer ?? 0 > 0 {
                result += try findings(check, count.integer ?? 0, from, table)
            }
        }
        return result
    }

    private func findings(
        _ check: Check, _ count: Int64, _ from: String, _ table: EntityTable
    ) throws(SQLiteError) -> [MigrationFinding] {
        var copied: Int64 = 0
        var rows = "\(from) WHERE \(check.condition)"
        if let isCopied = check.isCopied {
            copied = try connection.value("SELECT count(*) \(rows) AND (\(isCopied))").integer ?? 0
            rows += " AND NOT (\(isCopied))"
        }
        var tally = InvalidObjects(count: count - copied, copied: copied)
        if tally.count > 0 {
            let statement = try connection.prepare(
                "SELECT d.Z_PK, d.Z_ENT, d.\(check.column) \(rows) ORDER BY 1 LIMIT \(ConcernedObjects.exampleCount)")
            while try statement.step() {
                tally.examples.append(uri(statement.integer(0), statement.integer(1), in: table))
                tally.values.append(statement.value(2).literal)
            }
        }
        return program.findings(tally, subject: check.subject, fault: check.fault, detail: check.detail)
    }

    // MARK: - One-to-one relationships

    /// Returns findings about objects whose destination leads to another object. No store allows this, whatever policy
    /// applies to objects that could not be saved.
    private func oneSidedFindings() throws(SQLiteError) -> [MigrationFinding] {
        var result: [MigrationFinding] = []
        for links in program.oneToOnes {
            let count = try connection.value("SELECT count(*) \(links.oneSided)").integer ?? 0
            guard count > 0 else { continue }
            let rows = try connection.rows(
                "SELECT d.Z_PK, d.Z_ENT \(links.oneSided) ORDER BY 1 LIMIT \(ConcernedObjects.exampleCount)")
            result.append(
                MigrationFinding(
                    .error, "several-sources", cocoaCode: 134110, subject: links.subject,
                    message:
                        "the relationship is one-to-one, and these objects lead to destinations that lead to other "
                        + "objects, for several objects lead to one; take their links away in the data, or say in the "
                        + "mapping model or in the policy which of them stays",
                    count: count, examples: rows.map { uri($0[0].integer ?? 0, $0[1].integer ?? 0, in: links.table) }))
        }
        return result
    }

    // MARK: - Numbers of destinations

    private func countFindings(
        _ relationship: ResolvedRelationship, _ table: EntityTable
    ) throws(SQLiteError) -> [MigrationFinding] {
        guard let rule = CountRule(relationship), let place = LinkPlace(relationship, layout: layout) else { return [] }
        let conditions = program.origins.compactMap { $0.hasSameCount(relationship.key, row: "q") }
        let broken = rule.brokenRows(
            place, of: SQLiteIdentifier.quoted(table.name), owners: numbers(relationship.owner))
        let statement = try connection.prepare(
            "SELECT q.k, q.e, q.n, \(conditions.isEmpty ? "0" : Disjunction.sql(conditions)) FROM (\(broken)) q")
        var tooFew = InvalidObjects()
        var tooMany = InvalidObjects()
        while try statement.step() {
            let count = statement.integer(2)
            func note(_ tally: inout InvalidObjects) {
                tally.add(isCopied: statement.integer(3) != 0, value: "\(count)") {
                    uri(statement.integer(0), statement.integer(1), in: table)
                }
            }
            if count < rule.minimum { note(&tooFew) } else { note(&tooMany) }
        }
        let subject = "\(layout.model.entities[relationship.owner].name).\(relationship.name)"
        return program.findings(
            tooFew, subject: subject, fault: .tooFewRelated(count: 0, minimum: rule.minimum),
            detail: "at least \(rule.minimum)")
            + program.findings(
                tooMany, subject: subject, fault: .tooManyRelated(count: 0, maximum: rule.maximum),
                detail: "at most \(rule.maximum)")
    }

    private func numbers(_ slot: Int) -> String {
        layout.model.entities[slot].subtree.map { String(layout.entityNumbers[$0]) }.joined(separator: ", ")
    }

    private func uri(_ key: Int64, _ number: Int64, in table: EntityTable) -> String {
        let slot = Int(exactly: number).flatMap { layout.slot(ofEntityNumber: $0) } ?? table.root
        return ManagedObjectID(
            storeUUID: storeUUID, entityName: layout.model.entities[slot].name, primaryKey: key
        ).uri
    }
}
