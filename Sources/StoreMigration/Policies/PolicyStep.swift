import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions

/// One of a policy's phases as a step of a migration.
struct PolicyStep: Sendable {
    enum Stage: Sendable {
        case instances, relationships, validation
    }

    var stage: Stage
    let policy: PolicyImplementation
    let mapping: ResolvedEntityMapping
    let program: PolicyProgram
    /// What the mapping says of the attributes, and which rows take part.
    let fill: TableFill
    /// The attributes whose values call the policy.
    let calls: [PolicyValueCall]
    let record: SourceRecordLayout
    /// What of other objects a program gets with each record.
    let related: [RelatedPath]

    func at(_ stage: Stage) -> PolicyStep {
        var step = self
        step.stage = stage
        return step
    }

    /// The rows from ?1 on: the mapping's values, then those that the policy reads, then those of its calls.
    var selectStatement: String {
        let columns = fill.expressions + record.columns + calls.flatMap(\.arguments)
        return "SELECT \(columns.joined(separator: ", ")) FROM \(fill.source) s WHERE s.Z_PK >= ?1 AND s.Z_PK <= ?2"
            + (fill.condition.map { " AND " + $0 } ?? "") + " ORDER BY s.Z_PK"
    }

    /// Notes the pairs of all objects that the mapping has made, whose keys are their sources' plus the mapping's number;
    /// nil if no pairs are kept.
    var pairsStatement: String? {
        guard case .associated(let table, let offset) = mapping.keys else { return nil }
        return "INSERT INTO \(table) (source, destination, entity) SELECT Z_PK - (\(offset)), Z_PK, Z_ENT "
            + "FROM \(madeObjects) ORDER BY Z_PK"
    }

    /// Lets the pairs follow from the keys, where these are the same; nil if they have to be noted. The table must have
    /// no other objects than those of this mapping, and of keys that no mapping gives.
    var pairsView: String? {
        guard case .associated(let table, 0) = mapping.keys else { return nil }
        return "DROP TABLE \(table); CREATE VIEW \(table) (source, destination, entity) AS "
            + "SELECT Z_PK, Z_PK, Z_ENT FROM \(madeObjects)"
    }

    private var madeObjects: String {
        let root = program.destination.model.entities[mapping.destination].root
        return "main.\(fill.table)" + (program.firstFreeKeys[root].map { " WHERE Z_PK < \($0)" } ?? "")
    }

    /// Makes the table of a mapping's pairs.
    static func pairsTable(_ table: String) -> String {
        "CREATE TABLE \(table) (source INTEGER, destination INTEGER, entity INTEGER, "
            + "PRIMARY KEY (source, destination)) WITHOUT ROWID"
    }

    /// Where the record's key stands in `selectStatement`. It is asked for with every row, so no SQL is made for it.
    var recordColumn: Int32 { Int32(fill.values.count) }

    /// Where the arguments of the calls begin.
    var firstArgument: Int { fill.values.count + record.columns.count }
}

/// A value that Swift computes because its expression calls the policy.
struct PolicyValueCall: Sendable {
    let attribute: ResolvedAttribute
    let program: ExpressionProgram
    /// The selectors of the methods, by slot.
    let methods: [String]
    /// SQL over the source row, and what kinds of values it gives.
    let arguments: [String]
    let kinds: [SQLValueKind]
}
