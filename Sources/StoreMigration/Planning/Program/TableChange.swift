import PersistentStores
import SQLiteAccess

/// What becomes of an existing table when a database is changed where it is.
enum TableChange: Sendable {
    /// The table is right as it is.
    case unchanged

    /// `ALTER TABLE` and, where rows change, UPDATE and DELETE.
    case altered(Alteration)

    /// The rows go over into a new table; `reason` says what ALTER TABLE cannot do.
    case rebuilt(reason: String)

    struct Alteration: Sendable {
        var renamesTableFrom: String?
        var addedColumns: [(column: EntityColumn, defaultValue: SQLiteValue)] = []
        var renamedColumns: [(from: String, to: String)] = []
        var droppedColumns: [String] = []
        /// `column = expression` over the old columns, for UPDATE.
        var assignments: [(column: String, expression: String)] = []
        /// The rows that the assignments change, as a condition on `s`; nil for all.
        var assignmentCondition: String?
        /// The entity numbers of the rows that go.
        var excludedNumbers: [Int] = []
        /// The entity numbers of the table, where rows with other ones go: they are not objects now, and would become
        /// some.
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
    /// Every `DROP COLUMN` writes all rows again; from some on it costs less to write them once into a new table and to
    /// make the indexes again.
    private static let maximumDroppedColumns = 3

    /// Finds the cheapest change that makes a source table into a destination table.
    ///
    /// - Parameter existing: the table as the database has it.
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

    /// Whether SQLite takes the value's literal as a default of a new column: it refuses expressions, and some numbers
    /// and texts are only exact as one.
    private static func canBeDefault(_ value: SQLiteValue) -> Bool {
        let literal = value.literal
        return !literal.hasPrefix("(") && !literal.hasPrefix("CAST")
    }
}
