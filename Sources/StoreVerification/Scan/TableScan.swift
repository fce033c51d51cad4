import PersistentStores
import SQLiteAccess

/// One pass over a table for all of its checks: SQLite returns the rows that violate any of them.
struct TableScan {
    let connection: Connection

    /// The quoted name of the table, by which conditions refer to its row.
    let table: String
    private(set) var joins: [String] = []
    private(set) var checks: [RowCondition] = []

    private let limits: VerificationLimits

    init(_ connection: Connection, table: String, limits: VerificationLimits) {
        self.limits = limits
        self.connection = connection
        self.table = table
    }

    var isFull: Bool { joins.count >= limits.joins || checks.count >= limits.checks }

    mutating func add(_ check: RowCondition) { checks.append(check) }

    /// Joins the row that a key leads to; returns its alias for conditions.
    mutating func join(_ table: String, key: String) -> String {
        let alias = "t\(joins.count)"
        joins.append("LEFT JOIN \(SQLiteIdentifier.quoted(table)) \(alias) ON \(alias).Z_PK = \(key)")
        return alias
    }

    /// Returns a query for the rows of a check, for `IN`.
    func keys(of check: RowCondition) -> String {
        "SELECT \(table).Z_PK FROM \(table) \(joins.joined(separator: " ")) WHERE \(check.condition)"
    }

    /// - Parameter name: returns the URI of an object by its key and entity number.
    func findings(limit: Int, naming name: (Int64, Int64) -> String) throws(SQLiteError) -> [VerificationFinding] {
        guard !checks.isEmpty else { return [] }
        let conditions = checks.map { "(\($0.condition))" }
        let statement = try connection.prepare(
            "SELECT \(table).Z_PK, \(table).Z_ENT, \(conditions.joined(separator: ", ")) FROM \(table) "
                + "\(joins.joined(separator: " ")) WHERE \(Disjunction.sql(conditions))")
        var tallies = checks.map { _ in Tally(limit: limit) }
        while try statement.step() {
            for index in checks.indices where statement.integer(Int32(index) + 2) != 0 {
                tallies[index].add { name(statement.integer(0), statement.integer(1)) }
            }
        }
        return zip(checks, tallies).compactMap { check, tally in
            let details = [check.found?(), check.detail].compactMap(\.self)
            return tally.finding(
                check.rule, subject: check.subject,
                detail: details.isEmpty ? nil : details.joined(separator: "; "), cocoaCode: check.cocoaCode)
        }
    }
}
