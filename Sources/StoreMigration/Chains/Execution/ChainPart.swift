import PersistentStores
import SQLiteAccess

/// What the execution of one step has to know of the chain that it belongs to.
struct ChainPart: Sendable {
    /// What tells this chain over this store from others.
    let run: String

    /// Counted from 1.
    let number: Int

    /// Whether the result is only the source of the next step.
    let isIntermediate: Bool

    /// What tells the steps of a plan from others; nil if another run cannot go on with some of them.
    func identity(of plan: MigrationPlan) -> String? {
        guard let program = plan.program, program.isResumable, plan.method == .newFile else { return nil }
        return "\(run) \(number) \(program.digest) \(StepJournal.machineStart)"
    }

    /// Empties what an earlier run has left unless these steps have made it.
    func settle(_ staged: StagedFile, _ plan: MigrationPlan) throws(StoreError) {
        if let identity = identity(of: plan), fits(staged.path, identity) { return }
        try staged.clear()
    }

    private func fits(_ path: String, _ identity: String) -> Bool {
        guard let connection = try? Connection(path: path, access: .readWrite) else { return false }
        defer { try? connection.close() }
        return (try? StepJournal.fits(connection, identity)) ?? false
    }
}
