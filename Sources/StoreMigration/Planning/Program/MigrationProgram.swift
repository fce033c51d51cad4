import ManagedObjectModels
import PersistentStores

/// The steps of a migration and the file that they run on.
struct MigrationProgram: Sendable {
    enum Arena: Sendable, Hashable {
        /// A new file beside the target; the source is attached read-only.
        case newFile
        /// A copy of the source beside the target, changed where it is.
        case copy
        /// The source itself, in one transaction.
        case original
    }

    let arena: Arena
    var steps: [MigrationStep] = []

    /// The steps that make other people's indexes, triggers and views again. They may fail one by one, so they run last
    /// and where SQLite can take a statement back.
    var foreignSteps: [MigrationStep] = []

    /// Whether the steps call the functions of expressions.
    var usesExpressionFunctions = false

    /// What the steps call for expressions that only Swift can evaluate.
    var valueFunctions: [ValueFunction] = []

    /// What is validated once the steps have run; nil if they compute nothing.
    var validation: ValidationProgram?

    /// The changes of persistent history that go with their entities; nil if no others can go.
    var historyRemovals: Int64?

    /// The entity mappings of which only the rows as they are written tell whether there is something to find.
    var watchedMappings: Set<String> = []

    /// Plans the migration once more, with all that the data say; nil if no values are computed. If it is thorough, it
    /// looks for objects on which expressions fail.
    var replan: (@Sendable (_ isThorough: Bool, _ isCancelled: (@Sendable () -> Bool)?) throws -> MigrationPlan)?

    /// Whether a migration that loses other changes is refused.
    var keepsAllHistory = false

    /// Whether another run can go on with a file that some of the steps have made.
    var isResumable: Bool { arena == .newFile && steps.allSatisfy(\.isResumable) }

    /// Whether objects that several sources make are looked up by key.
    var usesKeyTables: Bool { steps.contains(where: \.isTemporary) }

    /// What the steps do, as a short text that another program does not have.
    var digest: String {
        TextDigest.hexadecimal(of: steps.map(\.identity).joined(separator: "\n"))
    }

    /// How each destination table is made, by table name, for the plan.
    var tiers: [String: (tier: MigrationTier, reason: String)] = [:]
}
