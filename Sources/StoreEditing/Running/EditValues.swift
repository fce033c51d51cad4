import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Sets attributes of the objects whose keys are in `EditTransaction.found`.
final class EditValues {
    private let connection: Connection
    private let layout: StoreLayout
    private let expressions: EditExpressions
    private var registered = 0
    private let uuid: String
    private let exampleLimit: Int

    /// The number of objects that the last call has changed.
    private(set) var changed: Int64 = 0

    private static let table = "temp.ferry_values"

    init(_ store: SQLiteStore, _ layout: StoreLayout, _ options: StoreEditor.Options) {
        connection = store.connection
        exampleLimit = options.exampleLimit
        self.layout = layout
        uuid = store.metadata.uuid
        expressions = EditExpressions(layout, storeUUID: uuid, now: options.now)
    }

    /// Computes all values from the current values of the objects, then writes those that differ.
    ///
    /// - Returns: faults for values that their types cannot hold; nothing is written in that case.
    func set(
        _ assignments: [EditAssignment], of entity: ResolvedEntity, _ step: EditStep, isNew: Bool
    ) throws -> [EditFault] {
        guard let table = layout.table(ofEntity: entity.slot), !assignments.isEmpty else {
            throw EditError(step, "it sets no attribute")
        }
        changed = 0
        let name = "main.\(SQLiteIdentifier.quoted(table.name))"
        var columns: [String] = []
        var values: [String] = []
        // The numbers from which integers are made, kept to detect fractions and infinite numbers, which would be cut
        // off.
        var numbers: [String?] = []
        var attributes: [ResolvedAttribute] = []
        for assignment in assignments {
            let attribute = try expressions.attribute(assignment.attribute, of: entity, step)
            guard let column = layout.column(.attribute(attribute.key)) else {
                throw EditError(step, "\(attribute.name) has no column in this store")
            }
            guard !columns.contains(SQLiteIdentifier.quoted(column.name)) else {
                throw EditError(step, "it sets \(attribute.name) twice")
            }
            attributes.append(attribute)
            columns.append(SQLiteIdentifier.quoted(column.name))
            let value = try expressions.value(assignment, of: attribute, entity, step)
            values.append(value.stored)
            numbers.append(attribute.type.integerRange == nil ? nil : value.number)
        }
        for function in expressions.functions.all[registered...] { try function.register(on: connection) }
        registered = expressions.functions.all.count
        let places = columns.indices.map { "v\($0)" }.joined(separator: ", ")
        let all = places + numbers.indices.filter { numbers[$0] != nil }.map { ", n\($0)" }.joined()
        try connection.execute("CREATE TEMP TABLE ferry_values (k INTEGER PRIMARY KEY, \(all))")
        defer { try? connection.execute("DROP TABLE \(Self.table)") }
        do {
            // All values are computed before rows are changed, since an expression may use other objects that change
            // too.
            try connection.execute(
                "INSERT INTO \(Self.table) SELECT s.Z_PK, "
                    + "\((values + numbers.compactMap(\.self)).joined(separator: ", ")) FROM \(name) s "
                    + "WHERE s.Z_PK IN (SELECT k FROM \(EditTransaction.found))")
        } catch {
            guard error.primaryCode == 1 else { throw error }
            throw EditError(step, error.message)
        }
        let sources = columns.indices.map { numbers[$0] == nil ? "v\($0)" : "n\($0)" }
        let faults = try self.faults(attributes, sources, of: entity)
        guard faults.isEmpty else { return faults }
        let isEqual = columns.enumerated().map { "s.\($0.element) IS v\($0.offset)" }.joined(separator: " AND ")
        try connection.execute(
            "DELETE FROM \(Self.table) WHERE EXISTS (SELECT 1 FROM \(name) s WHERE s.Z_PK = k AND \(isEqual))")
        try connection.execute(
            "UPDATE \(name) AS s SET (\(columns.joined(separator: ", "))) = (SELECT \(places) FROM \(Self.table) "
                + "WHERE k = s.Z_PK)\(isNew ? "" : ", " + ObjectVersion.raised()) "
                + "WHERE Z_PK IN (SELECT k FROM \(Self.table))")
        changed = connection.changes
        return []
    }

    /// Returns faults for numbers that their types cannot hold: beyond the range, or with a fraction in an integer.
    ///
    /// - Parameter numbers: the columns of the numbers, for each attribute.
    private func faults(
        _ attributes: [ResolvedAttribute], _ numbers: [String], of entity: ResolvedEntity
    ) throws -> [EditFault] {
        var faults: [EditFault] = []
        for (attribute, number) in zip(attributes, numbers) {
            guard let (low, high) = Self.range(of: attribute.type) else { continue }
            let holdsFractions = attribute.type.integerRange == nil
            let isCut = holdsFractions ? "0" : "\(number) <> CAST(\(number) AS INTEGER)"
            let rows = try connection.rows(
                "SELECT k, count(*) OVER (), \(number) > \(high), \(number) < \(low) FROM \(Self.table) "
                    + "WHERE \(number) NOT NULL AND (\(number) < \(low) OR \(number) > \(high) OR \(isCut)) ORDER BY k "
                    + "LIMIT \(max(1, exampleLimit))"
            )
            guard let first = rows.first else { continue }
            let (isLarge, isSmall) = (first[2].integer == 1, first[3].integer == 1)
            faults.append(
                EditFault(
                    code: isLarge ? 1610 : isSmall ? 1620 : 1550, entity: entity.name, property: attribute.name,
                    message: isLarge || isSmall
                        ? "the number does not fit the type \(attribute.type.name)"
                        : "the number has a fraction, which an integer cannot hold", count: first[1].integer ?? 0,
                    objects: rows.prefix(exampleLimit).map {
                        ManagedObjectID(storeUUID: uuid, entityName: entity.name, primaryKey: $0[0].integer ?? 0).uri
                    }))
        }
        return faults
    }

    /// Returns the minimum and maximum number of a type, as SQL; nil if all numbers are valid.
    private static func range(of type: AttributeType) -> (low: String, high: String)? {
        if let range = type.integerRange {
            return (SQLiteValue.integer(range.lowerBound).literal, SQLiteValue.integer(range.upperBound).literal)
        }
        guard type == .float else { return nil }
        let greatest = Double(Float.greatestFiniteMagnitude)
        return (SQLiteValue.real(-greatest).literal, SQLiteValue.real(greatest).literal)
    }
}
