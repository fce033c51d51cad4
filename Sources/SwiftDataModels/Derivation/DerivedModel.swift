import ManagedObjectModels

/// A version derived from its declarations.
struct DerivedModel: Sendable {
    var model: ManagedObjectModel
    /// The locations at which parts of the model are declared.
    var places: [ModelElement: SwiftPlace] = [:]
    /// The errors that make the model invalid.
    var problems: [SwiftDataProblem] = []
    /// Information, for example about inferred inverses.
    var remarks: [SwiftDataProblem] = []
    /// Uncertain properties.
    var questions: [SwiftDataQuestion] = []
}
