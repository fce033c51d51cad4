import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// Validates the objects that an edit has inserted or updated, and those whose numbers of links have changed.
struct EditValidation {
    private let connection: Connection
    private let layout: StoreLayout
    private let tests: ValueTests
    private let limit: Int
    private let limits: EditLimits
    private let uri: (Int64, Int64) -> String

    /// - Parameter uri: returns the URI of an object by its entity number and key.
    init(
        _ connection: Connection, _ layout: StoreLayout, _ options: StoreEditor.Options,
        uri: @escaping (Int64, Int64) -> String
    ) throws {
        self.connection = connection
        self.layout = layout
        limit = options.exampleLimit
        limits = options.fixedLimits
        self.uri = uri
        tests = try ValueTests(connection)
    }

    /// The rules that could not be evaluated.
    var unchecked: [String] {
        tests.unchecked.map { "\($0.subject): a rule of the model cannot be evaluated: \($0.reason)" }
    }

    func faults() throws -> [EditFault] {
        var faults: [EditFault] = []
        for table in layout.tables {
            faults += try valueFaults(table)
            for slot in layout.model.entities[table.root].subtree {
                for relationship in layout.model.entities[slot].declaredRelationships where relationship.isToMany {
                    faults += try countFaults(relationship, table)
                }
            }
        }
        return faults
    }

    private func valueFaults(_ table: EntityTable) throws -> [EditFault] {
        let rules = RowRule.rules(for: table, in: layout, tests)
        let numbers = numbers(table.root)
        let rows =
            "FROM temp.ferry_changed c CROSS JOIN main.\(SQLiteIdentifier.quoted(table.name)) d ON d.Z_PK = c.object "
            + "WHERE c.entity IN (\(numbers)) AND c.kind < 2"
        var faults: [EditFault] = []
        for start in stride(from: 0, to: rules.count, by: limits.rules) {
            let some = rules[start..<min(start + limits.rules, rules.count)]
            let counts = some.map { "count(CASE WHEN \($0.condition) THEN 1 END)" }.joined(separator: ", ")
            let answer = try connection.rows("SELECT \(counts) \(rows)").first ?? []
            for (rule, count) in zip(some, answer) where count.integer ?? 0 > 0 {
                let examples = try connection.rows(
                    "SELECT d.Z_ENT, d.Z_PK \(rows) AND (\(rule.condition)) ORDER BY 2 LIMIT \(limit)")
                faults.append(
                    fault(rule.fault, rule.entity, rule.property.name, rule.detail, count.integer ?? 0, examples))
            }
        }
        return faults
    }

    /// The objects that violate a rule about numbers of links in the same way.
    private struct Broken {
        let fault: ValidationFault
        var count: Int64 = 0
        var rows: [[SQLiteValue]] = []
    }

    private func countFaults(_ relationship: ResolvedRelationship, _ table: EntityTable) throws -> [EditFault] {
        guard let rule = CountRule(relationship), let place = LinkPlace(relationship, layout: layout) else { return [] }
        let numbers = numbers(relationship.owner)
        let statement = try connection.prepare(
            "SELECT o.Z_ENT, o.Z_PK, (SELECT count(*) FROM main.\(place.table) l WHERE l.\(place.owner) = o.Z_PK "
                + "AND l.\(place.destination) NOT NULL) FROM main.\(SQLiteIdentifier.quoted(table.name)) o "
                + "WHERE o.Z_ENT IN (\(numbers)) AND o.Z_PK IN (SELECT k FROM temp.ferry_linked WHERE root = \(table.root) "
                + "UNION SELECT object FROM temp.ferry_changed WHERE entity IN (\(numbers)) AND kind < 2) ORDER BY 2")
        var broken: [Broken] = []
        while try statement.step() {
            guard let fault = rule.fault(statement.integer(2)) else { continue }
            let index = broken.firstIndex { $0.fault.code == fault.code } ?? broken.count
            if index == broken.count { broken.append(Broken(fault: fault)) }
            broken[index].count += 1
            if broken[index].rows.count < limit { broken[index].rows.append([statement.value(0), statement.value(1)]) }
        }
        let entity = layout.model.entities[relationship.owner].name
        return broken.map {
            self.fault($0.fault, entity, relationship.name, rule.detail(of: $0.fault), $0.count, $0.rows)
        }
    }

    private func fault(
        _ fault: ValidationFault, _ entity: String, _ property: String, _ detail: String?, _ count: Int64,
        _ rows: [[SQLiteValue]]
    ) -> EditFault {
        EditFault(
            code: fault.code, entity: entity, property: property,
            message: fault.rule + (detail.map { " (\($0))" } ?? ""), count: count,
            objects: rows.map { uri($0[0].integer ?? 0, $0[1].integer ?? 0) })
    }

    private func numbers(_ slot: Int) -> String {
        layout.model.entities[slot].subtree.map { String(layout.entityNumbers[$0]) }.joined(separator: ", ")
    }
}
