import PersistentStores

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
}
