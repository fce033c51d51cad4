/// A `SchemaMigrationPlan`: the versions in order, and the stages between them.
struct SwiftDataMigrationPlan: Sendable {
    let name: String

    /// The names of the versions, the oldest first.
    let versions: [String]
    let stages: [Stage]
    let place: SwiftPlace

    /// Parts of the plan that are not understood.
    let problems: [SwiftDataProblem]

    struct Stage: Sendable {
        let from: String
        let to: String
        /// Whether the app runs code; otherwise SwiftData infers the migration.
        let isCustom: Bool
    }
}
