import ManagedObjectModels

/// A version as it is derived from its declarations.
struct DerivedModel: Sendable {
    var model: ManagedObjectModel
    /// Where parts of the model are declared.
    var places: [ModelElement: SwiftPlace] = [:]
    /// What keeps the version from being a model.
    var problems: [SwiftDataProblem] = []
    /// What is worth knowing, such as inverses that were inferred.
    var remarks: [SwiftDataProblem] = []
    /// What is not established.
    var questions: [SwiftDataQuestion] = []
}
