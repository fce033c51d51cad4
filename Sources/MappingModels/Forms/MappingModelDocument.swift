public import DocumentReading

/// A mapping model as it was read, with the places of its parts in the file.
public struct MappingModelDocument: Sendable {
    /// The mapping model.
    public let model: MappingModel
    /// The form of the file that it was read from.
    public let form: MappingModelForm

    /// The path, or what stands for it in messages.
    public let name: String

    /// What the file holds and a mapping model does not, and what looks wrong but can be used.
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

    /// Where a part stands, or else what it is a part of.
    public func location(of place: MappingModelPlace) -> SourceLocation {
        place.enclosing.lazy.compactMap { locations[$0] }.first ?? SourceLocation(file: name, line: 1)
    }

    /// An error that points to a part; in a YAML file with the line and a caret.
    public func error(_ sentence: String, at place: MappingModelPlace) -> DocumentError {
        let location = location(of: place)
        let isKnown = place.enclosing.contains { locations[$0] != nil }
        let sentence = isKnown && form == .yaml ? sentence : place.words + sentence
        return DocumentError(.unacceptable, sentence, at: location, excerpt: source?.excerpt(at: location))
    }
}
