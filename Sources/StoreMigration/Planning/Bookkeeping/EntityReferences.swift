import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// What names entities by number outside their tables, persistent history and the mirror of CloudKit, and how it follows
/// the numbers (docs/format/sqlite-store.md#persistent-history, #cloudkit-mirroring).
struct EntityReferences {
    let correspondence: ModelCorrespondence
    let source: StoreLayout
    let destination: StoreLayout
    let schema: StoreSchema

    private struct Entity {
        let old: Int
        let new: Int
        /// Whether old and new have the same properties.
        let isSame: Bool
    }

    /// The entities that go on.
    private let entities: [Entity]

    init(correspondence: ModelCorrespondence, source: StoreLayout, destination: StoreLayout, schema: StoreSchema) {
        self.correspondence = correspondence
        self.source = source
        self.destination = destination
        self.schema = schema
        entities = correspondence.source.entities.compactMap { entity in
            correspondence.destinationSlot[entity.slot].map { target in
                Entity(
                    old: source.entityNumbers[entity.slot], new: destination.entityNumbers[target],
                    isSame: Self.properties(of: entity)
                        == Self.properties(of: correspondence.destination.entities[target]))
            }
        }
    }

    static func properties(of entity: ResolvedEntity) -> [String] {
        entity.attributes.map { "\($0.name) \($0.type.rawValue) \($0.isStored)" }
            + entity.relationships.map { "\($0.name) \($0.storage) \($0.isStored)" }
    }

    /// Whether every entity that goes on keeps its number, and no other entity gets the number of one that goes.
    var meanTheSame: Bool {
        let used = Set(destination.entityNumbers)
        let kept = Set(entities.map(\.old))
        return entities.allSatisfy { $0.old == $0.new }
            && source.entityNumbers.allSatisfy { kept.contains($0) || !used.contains($0) }
    }

    // MARK: - Conditions

    private static func list(_ numbers: [Int]) -> String {
        numbers.sorted().map(String.init).joined(separator: ", ")
    }

    /// Rows of entities that are gone or unknown; Core Data's own have numbers beyond all of a model.
    private func isGone(_ column: String) -> String {
        "\(column) <= \(EntityRecord.firstSystemNumber) AND \(column) NOT IN (\(Self.list(entities.map(\.old))))"
    }

    private func isRenumbered(_ column: String) -> String? {
        let numbers = entities.filter { $0.old != $0.new }.map(\.old)
        return numbers.isEmpty ? nil : "\(column) IN (\(Self.list(numbers)))"
    }

    private func newNumber(_ column: String, sign: String = "") -> String {
        let cases = entities.filter { $0.old != $0.new }.map { "WHEN \($0.old) THEN \(sign)\($0.new)" }
        return "CASE \(column) \(cases.joined(separator: " ")) END"
    }

    /// Changes whose ZCOLUMNS say which of other properties changed.
    private var forgetsColumns: String? {
        let numbers = entities.filter { !$0.isSame }.map(\.old)
        guard !numbers.isEmpty, schema.table(named: Self.changes)?.hasColumn("ZCOLUMNS") ?? false else { return nil }
        return "ZENTITY IN (\(Self.list(numbers))) AND ZCOLUMNS IS NOT NULL"
    }

    private static let changes = "ACHANGE"

    private var hasChanges: Bool { schema.table(named: Self.changes)?.hasColumn("ZENTITY") ?? false }

    /// The tables of CloudKit's mirror that name entities in the one column whose meaning is known.
    private var mirrors: [String] {
        schema.tables.filter { $0.name.uppercased().hasPrefix("ANSCK") && $0.hasColumn("ZENTITYID") }.map(\.name)
    }

    // MARK: - Steps

    /// The steps that bring the tables of history, once they are in the result, to the new numbers.
    var historySteps: [MigrationStep] {
        guard hasChanges else { return [] }
        var steps: [MigrationStep] = []
        func add(_ summary: String, _ sql: String) {
            steps.append(
                MigrationStep(phase: .keptTables, table: Self.changes, summary: summary, work: .statement(sql)))
        }
        add("remove the changes of entities that are gone", "DELETE FROM main.ACHANGE WHERE \(isGone("ZENTITY"))")
        if let condition = forgetsColumns {
            add(
                "forget the changed columns of entities whose properties change",
                "UPDATE main.ACHANGE SET ZCOLUMNS = NULL WHERE \(condition)")
        }
        if let condition = isRenumbered("ZENTITY") {
            add(
                "rewrite the entity numbers of changes",
                "UPDATE main.ACHANGE SET ZENTITY = \(newNumber("ZENTITY")) WHERE \(condition)")
        }
        return steps
    }

    /// The steps for the tables of the mirror: a pair of number and key is unique in them, so that the new numbers come
    /// by way of negative ones.
    var mirrorSteps: [MigrationStep] {
        guard !meanTheSame else { return [] }
        return mirrors.flatMap { table -> [MigrationStep] in
            let name = "main.\(SQLiteIdentifier.quoted(table))"
            func step(_ summary: String, _ sql: String) -> MigrationStep {
                MigrationStep(phase: .keptTables, table: table, summary: summary, work: .statement(sql))
            }
            let removal = step(
                "remove the rows of entities that are gone", "DELETE FROM \(name) WHERE \(isGone("ZENTITYID"))")
            guard let condition = isRenumbered("ZENTITYID") else { return [removal] }
            return [
                removal,
                step(
                    "rewrite the entity numbers",
                    "UPDATE \(name) SET ZENTITYID = \(newNumber("ZENTITYID", sign: "-")) WHERE \(condition)"),
                step("rewrite the entity numbers", "UPDATE \(name) SET ZENTITYID = -ZENTITYID WHERE ZENTITYID < 0"),
            ]
        }
    }

    // MARK: - Counts

    struct Counts {
        var removed: Int64 = 0
        var forgotten: Int64 = 0
        var renumbered: Int64 = 0
        /// Rows of the mirror whose entities are gone.
        var unmirrored: Int64 = 0
    }

    /// How many rows the steps concern.
    func counts(on connection: Connection) throws(SQLiteError) -> Counts {
        func count(_ table: String, _ condition: String?) throws(SQLiteError) -> Int64 {
            guard let condition else { return 0 }
            let name = SQLiteIdentifier.quoted(table)
            return try connection.value("SELECT count(*) FROM main.\(name) WHERE \(condition)").integer ?? 0
        }
        var result = Counts()
        if hasChanges {
            result.removed = try count(Self.changes, isGone("ZENTITY"))
            result.forgotten = try count(Self.changes, forgetsColumns)
            result.renumbered = try count(Self.changes, isRenumbered("ZENTITY"))
        }
        for table in mirrors {
            result.unmirrored += try count(table, isGone("ZENTITYID"))
        }
        return result
    }
}
