import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Sets attributes of the objects whose keys stand in `EditTransaction.found`.
final class EditValues {
    private let connection: Connection
    private let layout: StoreLayout
    private let expressions: EditExpressions
    private var registered = 0
    private let uuid: String
    private let exampleLimit: Int

    /// How many objects the last call has changed.
    private(set) var changed: Int64 = 0

    private static let table = "temp.ferry_values"

    init(_ store: SQLiteStore, _ layout: StoreLayout, _ options: StoreEditor.Options) {
        connection = store.connection
        exampleLimit = options.exampleLimit
        self.layout = layout
        uuid = store.metadata.uuid
        expressions = EditExpressions(layout, storeUUID: uuid, now: options.now)
    }

    /// Computes all values over what the objects hold, then writes those that differ.
    ///
    /// - Returns: values that their types cannot hold; nothing is written then.
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
            values.append(try expressions.value(assignment.expression, of: attribute, entity, step))
        }
        for function in expressions.functions.all[registered...] { try function.register(on: connection) }
        registered = expressions.functions.all.count
        let places = columns.indices.map { "v\($0)" }.joined(separator: ", ")
        try connection.execute("CREATE TEMP TABLE ferry_values (k INTEGER PRIMARY KEY, \(places))")
        defer { try? connection.execute("DROP TABLE \(Self.table)") }
        do {
            // First all values, then the rows: an expression may look at other objects that change too.
            try connection.execute(
                "INSERT INTO \(Self.table) SELECT s.Z_PK, \(values.joined(separator: ", ")) FROM \(name) s "
                    + "WHERE s.Z_PK IN (SELECT k FROM \(EditTransaction.found))")
        } catch {
            guard error.primaryCode == 1 else { throw error }
            throw EditError(step, error.message)
        }
        let faults = try self.faults(attributes, of: entity)
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

    /// Integers out of the range of their types.
    private func faults(_ attributes: [ResolvedAttribute], of entity: ResolvedEntity) throws -> [EditFault] {
        var faults: [EditFault] = []
        for (index, attribute) in attributes.enumerated() {
            guard let range = attribute.type.integerRange else { continue }
            let value = "v\(index)"
            let (low, high) = (
                SQLiteValue.integer(range.lowerBound).literal, SQLiteValue.integer(range.upperBound).literal
            )
            let isOutside =
                "\(value) NOT NULL AND (\(value) < \(low) OR \(value) > \(high) OR typeof(\(value)) = 'real')"
            let rows = try connection.rows(
                "SELECT k, count(*) OVER (), \(value) > \(high) FROM \(Self.table) WHERE \(isOutside) ORDER BY k "
                    + "LIMIT \(max(1, exampleLimit))"
            )
            guard let first = rows.first else { continue }
            faults.append(
                EditFault(
                    code: first[2].integer == 1 ? 1610 : 1620, entity: entity.name, property: attribute.name,
                    message: "the number does not fit the type \(attribute.type.name)", count: first[1].integer ?? 0,
                    objects: rows.prefix(exampleLimit).map {
                        ManagedObjectID(storeUUID: uuid, entityName: entity.name, primaryKey: $0[0].integer ?? 0).uri
                    }))
        }
        return faults
    }
}
