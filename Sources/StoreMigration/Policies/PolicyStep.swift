import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// One phase of a policy, as a step of a migration.
struct PolicyStep: Sendable {
    enum Stage: String, Sendable {
        case instances, relationships, validation
    }

    var stage: Stage
    let policy: PolicyImplementation
    let mapping: ResolvedEntityMapping
    let program: PolicyProgram
    /// The mapping's values of the attributes, and the rows that take part.
    let fill: TableFill
    /// The attributes whose expressions call the policy.
    let calls: [PolicyValueCall]
    let record: SourceRecordLayout
    /// The paths to values of other objects that a program gets with each record.
    let related: [RelatedPath]

    func at(_ stage: Stage) -> PolicyStep {
        var step = self
        step.stage = stage
        return step
    }

    /// The name of the table of the objects.
    var table: String { SQLiteIdentifier.unquoted(fill.table) }

    /// The query for the rows with keys from ?1 to ?2: the mapping's values, then the columns that the policy reads,
    /// then the arguments of its calls.
    var selectStatement: String {
        let columns = fill.expressions + record.columns + calls.flatMap(\.arguments)
        return "SELECT \(columns.joined(separator: ", ")) FROM \(fill.source) s WHERE s.Z_PK >= ?1 AND s.Z_PK <= ?2"
            + (fill.condition.map { " AND " + $0 } ?? "") + " ORDER BY s.Z_PK"
    }

    /// The statement that records the pairs of all objects that the mapping has created, whose keys are those of their
    /// sources plus the mapping's number; nil if no pairs are kept.
    var pairsStatement: String? {
        guard case .associated(let table, let offset) = mapping.keys else { return nil }
        return "INSERT INTO \(table) (source, destination, entity) SELECT Z_PK - (\(offset)), Z_PK, Z_ENT "
            + "FROM \(madeObjects) ORDER BY Z_PK"
    }

    /// The statements that replace the table of pairs by a view, which derives the pairs from equal keys; nil if the
    /// pairs have to be recorded. The table of the objects must only contain objects of this mapping, and objects with
    /// keys that no mapping assigns.
    var pairsView: String? {
        guard case .associated(let table, 0) = mapping.keys else { return nil }
        return "DROP TABLE \(table); CREATE VIEW \(table) (source, destination, entity) AS "
            + "SELECT Z_PK, Z_PK, Z_ENT FROM \(madeObjects)"
    }

    private var madeObjects: String {
        let root = program.destination.model.entities[mapping.destination].root
        return "main.\(fill.table)" + (program.firstFreeKeys[root].map { " WHERE Z_PK < \($0)" } ?? "")
    }

    /// Returns the statement that creates the table of a mapping's pairs.
    static func pairsTable(_ table: String) -> String {
        "CREATE TABLE \(table) (source INTEGER, destination INTEGER, entity INTEGER, "
            + "PRIMARY KEY (source, destination)) WITHOUT ROWID"
    }

    /// The index of the record's key in `selectStatement`. It is needed for every row, so no SQL is generated for it.
    var recordColumn: Int32 { Int32(fill.values.count) }

    /// The index of the first argument of the calls.
    var firstArgument: Int { fill.values.count + record.columns.count }
}

/// A value that is computed in Swift because its expression calls the policy.
struct PolicyValueCall: Sendable {
    let attribute: ResolvedAttribute
    let program: ExpressionProgram
    /// The selectors of the methods, by slot.
    let methods: [String]
    /// The arguments, as SQL over the source row, and the kinds of their values.
    let arguments: [String]
    let kinds: [SQLValueKind]
}
