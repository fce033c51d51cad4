/// A `SchemaMigrationPlan`: the versions in their order, and what leads from one to the next.
struct SwiftDataMigrationPlan: Sendable {
    let name: String

    /// The names of the versions, the oldest first.
    let versions: [String]
    let stages: [Stage]
    let place: SwiftPlace

    /// What the plan says that is not understood.
    let problems: [SwiftDataProblem]

    struct Stage: Sendable {
        let from: String
        let to: String
        /// Code that the app runs; otherwise SwiftData infers the migration.
        let isCustom: Bool
    }
}
