import PersistentStores
import SQLiteAccess

/// One pass over a table for all of its checks: SQLite hands over the rows that break one.
struct TableScan {
    let connection: Connection

    /// The table's name in quotes, under which the conditions know its row.
    let table: String
    private(set) var joins: [String] = []
    private(set) var checks: [RowCheck] = []

    /// SQLite joins 64 tables at the most, and a condition may ask others.
    private static let maximumJoins = 48

    /// Conditions of a statement: each one stands there twice, and a result has 2000 columns at the most.
    private static let maximumChecks = 400

    init(_ connection: Connection, table: String) {
        self.connection = connection
        self.table = table
    }

    var isFull: Bool { joins.count >= Self.maximumJoins || checks.count >= Self.maximumChecks }

    mutating func add(_ check: RowCheck) { checks.append(check) }

    /// Joins the row that a key leads to; returns the alias under which conditions know it.
    mutating func join(_ table: String, key: String) -> String {
        let alias = "t\(joins.count)"
        joins.append("LEFT JOIN \(SQLiteIdentifier.quoted(table)) \(alias) ON \(alias).Z_PK = \(key)")
        return alias
    }

    /// - Parameter name: the URI of an object, by its key and the entity number in its row.
    func findings(limit: Int, naming name: (Int64, Int64) -> String) throws(SQLiteError) -> [VerificationFinding] {
        guard !checks.isEmpty else { return [] }
        let conditions = checks.map { "(\($0.condition))" }
        let values = checks.map { "(\($0.condition))" + ($0.inspection.map { ", \($0.value)" } ?? "") }
        let statement = try connection.prepare(
            "SELECT \(table).Z_PK, \(table).Z_ENT, \(values.joined(separator: ", ")) FROM \(table) "
                + "\(joins.joined(separator: " ")) WHERE \(Disjunction.sql(conditions))")
        var tallies = checks.map { _ in Tally(limit: limit) }
        var inspected: [Int: [VerificationRule: Tally]] = [:]
        while try statement.step() {
            var column: Int32 = 2
            for index in checks.indices {
                defer { column += checks[index].inspection == nil ? 1 : 2 }
                guard statement.integer(column) != 0 else { continue }
                func example() -> String { name(statement.integer(0), statement.integer(1)) }
                if let inspection = checks[index].inspection {
                    let bytes = statement.withBytes(column + 1) { Array($0) }
                    guard let rule = inspection.rule(bytes) else { continue }
                    inspected[index, default: [:]][rule, default: Tally(limit: limit)].add(1, example)
                } else {
                    tallies[index].add(1, example)
                }
            }
        }
        var findings: [VerificationFinding] = []
        for (index, check) in checks.enumerated() {
            let tally = tallies[index]
            let finding = tally.finding(
                check.rule, subject: check.subject, detail: check.detail, cocoaCode: check.cocoaCode)
            if let finding { findings.append(finding) }
            for (rule, tally) in (inspected[index] ?? [:]).sorted(by: { $0.key.code < $1.key.code }) {
                if let finding = tally.finding(rule, subject: check.subject) { findings.append(finding) }
            }
        }
        return findings
    }
}
