public import DocumentReading

/// A mapping model with the locations of its parts in the file.
public struct MappingModelDocument: Sendable {
    /// The mapping model.
    public let model: MappingModel
    /// The form of the file.
    public let form: MappingModelForm

    /// The path, or the name that messages use instead.
    public let name: String

    /// Contents of the file that a mapping model cannot represent, and irregularities that do not prevent its use.
    public let warnings: [DocumentError]

    private let source: SourceText?
    let locations: [MappingModelPlace: SourceLocation]

    init(
        model: MappingModel, form: MappingModelForm, name: String, warnings: [DocumentError] = [],
        source: SourceText? = nil, locations: [MappingModelPlace: SourceLocation] = [:]
    ) {
        self.model = model
        self.form = form
        self.name = name
        self.warnings = warnings
        self.source = source
        self.locations = locations
    }

    /// Returns the location of a part, otherwise that of the part that contains it.
    public func location(of place: MappingModelPlace) -> SourceLocation {
        place.enclosing.lazy.compactMap { locations[$0] }.first ?? SourceLocation(file: name, line: 1)
    }

    /// Returns an error that points to a part; in a YAML file with the line and a caret.
    public func error(_ sentence: String, at place: MappingModelPlace) -> DocumentError {
        let location = location(of: place)
        let isKnown = place.enclosing.contains { locations[$0] != nil }
        let sentence = isKnown && form == .yaml ? sentence : place.words + sentence
        return DocumentError(.unacceptable, sentence, at: location, excerpt: source?.excerpt(at: location))
    }
}
