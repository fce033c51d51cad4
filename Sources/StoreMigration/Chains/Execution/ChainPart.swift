import PersistentStores
import SQLiteAccess

/// The facts about its chain that the execution of a step needs.
struct ChainPart: Sendable {
    /// A text that identifies this chain for this store.
    let run: String

    /// The number of the step, counted from 1.
    let number: Int

    /// Whether the result is only the source of the next step.
    let isIntermediate: Bool

    /// Returns a text that identifies the steps of a plan; nil if another run cannot continue them.
    func identity(of plan: MigrationPlan) -> String? {
        guard let program = plan.program, program.isResumable, plan.method == .newFile else { return nil }
        return "\(run) \(number) \(program.digest) \(StepJournal.machineStart)"
    }

    /// Empties the file of an earlier run unless these steps have written it.
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
