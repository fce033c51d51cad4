/// A list of models in the sources: one version.
struct SwiftDataSchema: Sendable {
    let name: String
    /// The identifier, such as `1.0.0`.
    let identifier: String
    /// The indexes of the listed classes among the declarations.
    let models: [Int]
    let place: SwiftPlace
    /// Parts of the list that are not understood.
    let problems: [SwiftDataProblem]

    /// Whether it is a `VersionedSchema`, and not a list in a call.
    var isVersioned: Bool { name != "Schema" && !name.hasPrefix("Schema ") }
}
