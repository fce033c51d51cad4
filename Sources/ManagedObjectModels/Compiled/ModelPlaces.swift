/// The locations of the parts of a model in its source document, for errors and warnings of the compilation.
struct ModelPlaces {
    /// The path of the file; nil for a model that exists in memory only.
    let path: String?

    let lines: [ModelElement: Int]

    /// Returns the line of an element; that of its entity if the element has none.
    func line(of element: ModelElement) -> Int? {
        if let line = lines[element] { return line }
        return switch element {
        case .property(_, let entity), .fetchIndex(_, let entity), .uniquenessConstraint(_, let entity):
            lines[.entity(entity)]
        case .model, .entity, .composite, .configuration, .fetchRequestTemplate: nil
        }
    }

    /// Returns the same error with its file and line, if it lacks them.
    func locating(_ error: ModelError) -> ModelError {
        var error = error
        error.path = error.path ?? path
        guard error.line == nil, error.path == path, let entity = error.entity else { return error }
        error.line = line(of: error.property.map { .property($0, entity: entity) } ?? .entity(entity))
        return error
    }
}
