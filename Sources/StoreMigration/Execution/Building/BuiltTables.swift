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
        if connection == nil, case .policy(let policy) = steps[position].work, let sql = policy.pairsStatement {
            pairs[position] = MigrationStep(
                phase: .objects, table: "", summary: "pairs of \(policy.mapping.name)", work: .statement(sql))
        } else {
            done.insert(position)
        }
    }

    /// What is left to do, in order.
    var left: [(position: Int, step: MigrationStep)] {
        steps.indices.filter { !done.contains($0) }.map { ($0, pairs[$0] ?? steps[$0]) }
    }
}
