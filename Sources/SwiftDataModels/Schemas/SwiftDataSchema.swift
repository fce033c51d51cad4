/// A list of models in the sources: one version.
struct SwiftDataSchema: Sendable {
    let name: String
    /// `1.0.0`
    let identifier: String
    /// The places of the listed classes among the declarations.
    let models: [Int]
    let place: SwiftPlace
    /// What the list says that is not understood.
    let problems: [SwiftDataProblem]

    /// Whether it is a `VersionedSchema`, not a list in a call.
    var isVersioned: Bool { name != "Schema" && !name.hasPrefix("Schema ") }
}
