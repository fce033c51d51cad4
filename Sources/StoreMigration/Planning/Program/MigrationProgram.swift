import ManagedObjectModels
import PersistentStores

/// The steps of a migration, and the file on which they are executed.
struct MigrationProgram: Sendable {
    enum Arena: Sendable, Hashable {
        /// A new file beside the target; the source is attached read-only.
        case newFile
        /// A copy of the source beside the target, which is changed.
        case copy
        /// The source itself, in one transaction.
        case original
    }

    let arena: Arena
    var steps: [MigrationStep] = []

    /// The steps that recreate indexes, triggers and views that do not belong to Core Data. Each of them may fail, so
    /// they are executed last, where SQLite can roll back a single statement.
    var foreignSteps: [MigrationStep] = []

    /// Whether the steps call the functions of expressions.
    var usesExpressionFunctions = false

    /// The functions that the steps call for expressions that only Swift can evaluate.
    var valueFunctions: [ValueFunction] = []

    /// The validation after the steps; nil if they compute no values.
    var validation: ValidationProgram?

    /// The number of changes in persistent history that are removed with their entities; nil if no others can be
    /// removed.
    var historyRemovals: Int64?

    /// The entity mappings whose rows are only examined as they are written.
    var watchedMappings: Set<String> = []

    /// Computes the plan again with all findings about the data; nil if no values are computed. If it is thorough, it
    /// searches for objects for which expressions fail.
    var replan: (@Sendable (_ isThorough: Bool, _ isCancelled: (@Sendable () -> Bool)?) throws -> MigrationPlan)?

    /// Whether a migration that loses other changes is refused.
    var keepsAllHistory = false

    /// Whether another run can continue with a file that some of the steps have written.
    var isResumable: Bool { arena == .newFile && steps.allSatisfy(\.isResumable) }

    /// Whether objects that are created from several sources are looked up by key.
    var usesKeyTables: Bool { steps.contains(where: \.isTemporary) }

    /// Whether rows of a new file wait until others have been read: a table gets them from several sources that are not in
    /// the order of the keys, or policies may change their links.
    var rowsWait: Bool {
        guard arena == .newFile else { return false }
        if LinkedProgram(self) != nil { return true }
        let fills = Dictionary(grouping: steps.compactMap(\.additions?.fill), by: \.table)
        return fills.values.contains { fills in
            let offsets = fills.map(\.keyOffset)
            return fills.count > 1 && (offsets.contains(nil) || Set(offsets).count < offsets.count)
        }
    }

    /// Returns the program with other steps.
    func with(steps: [MigrationStep]) -> MigrationProgram {
        var program = self
        (program.steps, program.foreignSteps) = (steps, [])
        return program
    }

    /// A short text that identifies what the steps do.
    var digest: String {
        TextDigest.hexadecimal(of: steps.map(\.identity).joined(separator: "\n"))
    }

    /// How each destination table is filled, by table name, for the plan.
    var tiers: [String: (tier: MigrationTier, reason: String)] = [:]
}
