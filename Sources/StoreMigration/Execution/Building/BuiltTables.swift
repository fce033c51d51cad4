import SQLiteAccess
import SQLiteFileBuilder

extension DatabaseSchema {
    /// The steps with which SQLite fills indexes that the builder cannot write, before all other steps.
    var indexSteps: [MigrationStep] {
        zip(unbuiltIndexes, indexStatements).map { name, statement in
            MigrationStep(phase: .indexes, table: "", summary: "fill the index \(name)", work: .statement(statement))
        }
    }
}

/// The steps of a new file that are done before SQLite executes the others.
final class BuiltTables {
    let runner: StepRunner
    /// The positions of the steps that are done.
    var done: Set<Int>
    /// The connection to the file, if a policy has needed it; nil otherwise.
    var connection: Connection?
    /// The schema of the file that is built.
    let schema: DatabaseSchema
    private let steps: [MigrationStep]
    /// The number of rows that each of these steps has written, by position.
    var rows: [Int: Int64] = [:]
    /// For the position of each policy whose objects were appended, the step that records the pairs of objects and
    /// sources.
    private var pairs: [Int: MigrationStep] = [:]

    init(_ runner: StepRunner, _ schema: DatabaseSchema, done: Set<Int>, of steps: [MigrationStep]) {
        (self.runner, self.schema, self.done, self.steps) = (runner, schema, done, steps)
    }

    /// Records that a policy has created its objects.
    func end(_ position: Int) {
        // If SQLite has taken over, the pairs have already been recorded.
        if connection == nil, case .policy(let policy) = steps[position].work,
            let sql = isAlone(policy) ? policy.pairsView ?? policy.pairsStatement : policy.pairsStatement
        {
            pairs[position] = MigrationStep(
                phase: .objects, table: "", summary: "pairs of \(policy.mapping.name)", work: .statement(sql))
        } else {
            done.insert(position)
        }
    }

    /// Returns whether no other step fills the policy's table.
    private func isAlone(_ policy: PolicyStep) -> Bool {
        let fills = steps.filter { step in
            switch step.work {
            case .policy(let other): other.stage == .instances && other.table == policy.table
            case .fill, .fillWhole: step.table == policy.table
            default: false
            }
        }
        return fills.count == 1
    }

    /// The remaining steps, in order.
    var left: [(number: Int, step: MigrationStep)] {
        steps.indices.filter { !done.contains($0) }.map { ($0, pairs[$0] ?? steps[$0]) }
    }

    /// The steps that another run need not repeat.
    var finished: [FinishedStep] {
        done.sorted().filter { !steps[$0].isTemporary }.map { ($0, steps[$0].table, rows[$0] ?? 0) }
    }
}
