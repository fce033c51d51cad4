/// Where a source document declares the parts of its model, so that what is found in compiling can say its line.
struct ModelPlaces {
    /// The file; nil for a model that stands in memory only.
    let path: String?

    let lines: [ModelElement: Int]

    /// The line of an element; that of its entity, if it has no line itself.
    func line(of element: ModelElement) -> Int? {
        if let line = lines[element] { return line }
        return switch element {
        case .property(_, let entity), .fetchIndex(_, let entity), .uniquenessConstraint(_, let entity):
            lines[.entity(entity)]
        case .model, .entity, .composite, .configuration, .fetchRequestTemplate: nil
        }
    }

    /// The same error with its file and line, where it has none.
    func locating(_ error: ModelError) -> ModelError {
        var error = error
        error.path = error.path ?? path
        guard error.line == nil, error.path == path, let entity = error.entity else { return error }
        error.line = line(of: error.property.map { .property($0, entity: entity) } ?? .entity(entity))
        return error
    }
}
