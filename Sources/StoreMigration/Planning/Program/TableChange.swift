import PersistentStores
import SQLiteAccess

/// How an existing table is changed if a database is changed in place.
enum TableChange: Sendable {
    /// The table needs no change.
    case unchanged

    /// `ALTER TABLE` and, if rows change, UPDATE and DELETE.
    case altered(Alteration)

    /// The rows are copied to a new table; `reason` says what ALTER TABLE cannot do.
    case rebuilt(reason: String)

    struct Alteration: Sendable {
        var renamesTableFrom: String?
        var addedColumns: [(column: EntityColumn, defaultValue: SQLiteValue)] = []
        var renamedColumns: [(from: String, to: String)] = []
        var droppedColumns: [String] = []
        /// `column = expression` over the old columns, for UPDATE.
        var assignments: [(column: String, expression: String)] = []
        /// A condition on `s` for the rows that the assignments change; nil for all rows.
        var assignmentCondition: String?
        /// The entity numbers of the rows that are removed.
        var excludedNumbers: [Int] = []
        /// The entity numbers of the table, if rows with other numbers are removed: these are not objects, but would
        /// become objects.
        var knownNumbers: [Int]?
        /// Whether order keys are counted afterwards.
        var countsOrders = false

        /// Whether no row is written.
        var isIndependentOfRows: Bool {
            droppedColumns.isEmpty && assignments.isEmpty && excludedNumbers.isEmpty && !countsOrders
        }

        var isEmpty: Bool {
            isIndependentOfRows && renamesTableFrom == nil && addedColumns.isEmpty && renamedColumns.isEmpty
                && knownNumbers == nil
        }
    }

    /// Whether the cost does not depend on the number of rows.
    var isIndependentOfRows: Bool {
        switch self {
        case .unchanged: true
        case .altered(let alteration): alteration.isIndependentOfRows
        case .rebuilt: false
        }
    }
}

extension TableChange {
    /// Every `DROP COLUMN` writes all rows again. From a number of columns on, it is faster to write the rows once to a
    /// new table and to recreate the indexes.
    private static let maximumDroppedColumns = 3

    /// Finds the fastest change from a source table to a destination table.
    ///
    /// - Parameter existing: the existing table in the database.
    init(_ transfer: TableTransfer, from existing: SchemaTable) {
        var alteration = Alteration()
        var unused = Set(existing.columns.map(\.name))
        var bases: [String: String] = [:]
        var added: [ColumnTransfer] = []
        for column in transfer.columns {
            guard !column.needsFiles else {
                self = .rebuilt(reason: "external data of \(column.column.name) becomes inline")
                return
            }
            let expression = column.expression
            switch expression {
            case .lookup:
                self = .rebuilt(reason: "\(column.column.name) is looked up in another table")
                return
            case .column(let name) where unused.remove(name) != nil:
                bases[column.column.name] = name
            case .row(_, let base?) where unused.remove(base) != nil,
                .filled(let base, _) where unused.remove(base) != nil,
                .replaced(let base, _) where unused.remove(base) != nil:
                bases[column.column.name] = base
                alteration.assignments.append((base, expression.sql))
            default:
                added.append(column)
            }
        }
        for column in added {
            guard !existing.hasColumn(column.column.name) else {
                self = .rebuilt(reason: "another column is called \(column.column.name)")
                return
            }
            if case .constant(let value)? = column.uniform, Self.canBeDefault(value) {
                alteration.addedColumns.append((column.column, value))
            } else {
                alteration.addedColumns.append((column.column, .null))
                alteration.assignments.append((column.column.name, column.expression.sql))
            }
        }
        for column in transfer.columns {
            guard let base = bases[column.column.name], base != column.column.name else { continue }
            guard !existing.hasColumn(column.column.name) else {
                self = .rebuilt(reason: "two columns exchange the name \(column.column.name)")
                return
            }
            alteration.renamedColumns.append((base, column.column.name))
        }
        let types = Dictionary(
            existing.columns.map { ($0.name, $0.declaredType) }, uniquingKeysWith: { first, _ in first })
        for column in transfer.columns.map(\.column) {
            guard let base = bases[column.name], types[base] != column.declaredType else { continue }
            self = .rebuilt(reason: "the column \(column.name) gets another declared type")
            return
        }
        alteration.droppedColumns = existing.columns.map(\.name).filter(unused.contains)
        guard alteration.droppedColumns.count <= Self.maximumDroppedColumns else {
            self = .rebuilt(reason: "\(alteration.droppedColumns.count) columns go")
            return
        }
        alteration.excludedNumbers = transfer.excludedNumbers
        alteration.knownNumbers =
            transfer.mayReviveStrangers ? transfer.takenNumbers + transfer.excludedNumbers : nil
        alteration.countsOrders = !transfer.countedOrders.isEmpty
        if alteration.assignments.map(\.column) == ["Z_ENT"] {
            let numbers = transfer.renumbered.map { String($0.old) }.joined(separator: ", ")
            alteration.assignmentCondition = "s.Z_ENT IN (\(numbers))"
        }
        if existing.name != transfer.table.name { alteration.renamesTableFrom = existing.name }
        self = alteration.isEmpty ? .unchanged : .altered(alteration)
    }

    /// Returns whether SQLite accepts the value's literal as the default of a new column. It refuses expressions, which
    /// some numbers and texts need to be exact.
    private static func canBeDefault(_ value: SQLiteValue) -> Bool {
        let literal = value.literal
        return !literal.hasPrefix("(") && !literal.hasPrefix("CAST")
    }
}
