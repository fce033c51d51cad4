import SQLiteAccess

/// What of a new file's steps is done before SQLite goes on with the others.
final class BuiltTables {
    let runner: StepRunner
    /// The positions of the steps that are done.
    var done: Set<Int>
    /// What has the file open, where a policy has asked for it.
    var connection: Connection?
    private let steps: [MigrationStep]
    /// By position of a policy whose objects were appended, the step that notes which they are.
    private var pairs: [Int: MigrationStep] = [:]

    init(_ runner: StepRunner, done: Set<Int>, of steps: [MigrationStep]) {
        (self.runner, self.done, self.steps) = (runner, done, steps)
    }

    /// A policy has made its objects.
    func end(_ position: Int) {
        // Where SQLite has taken over, the pairs are noted already.
        if connection == nil, case .policy(let policy) = steps[position].work,
            let sql = isAlone(policy) ? policy.pairsView ?? policy.pairsStatement : policy.pairsStatement
        {
            pairs[position] = MigrationStep(
                phase: .objects, table: "", summary: "pairs of \(policy.mapping.name)", work: .statement(sql))
        } else {
            done.insert(position)
        }
    }

    /// Whether no other step fills the policy's table.
    private func isAlone(_ policy: PolicyStep) -> Bool {
        let fills = steps.filter { step in
            switch step.work {
            case .policy(let other): other.stage == .instances && other.fill.table == policy.fill.table
            case .fill, .fillWhole: step.table == policy.fill.table
            default: false
            }
        }
        return fills.count == 1
    }

    /// What is left to do, in order.
    var left: [(position: Int, step: MigrationStep)] {
        steps.indices.filter { !done.contains($0) }.map { ($0, pairs[$0] ?? steps[$0]) }
    }
}
