public import DocumentReading
public import ManagedObjectModels

/// An import mapping with the locations of its parts in the file.
public struct ImportMappingDocument: Sendable {
    /// The mapping that was read.
    public let mapping: ImportMapping

    private let source: SourceText
    private let locations: [MappingPlace: SourceLocation]

    init(mapping: ImportMapping, source: SourceText, locations: [MappingPlace: SourceLocation]) {
        self.mapping = mapping
        self.source = source
        self.locations = locations
    }

    /// Returns the location of a part of the mapping, otherwise that of the part that contains it.
    public func location(of place: MappingPlace) -> SourceLocation {
        place.enclosing.lazy.compactMap { locations[$0] }.first ?? SourceLocation(file: source.name, line: 1, column: 1)
    }

    /// Returns an error that points to a part of the mapping, with the line and a caret.
    public func error(_ sentence: String, at place: MappingPlace) -> DocumentError {
        let location = location(of: place)
        return DocumentError(.unacceptable, sentence, at: location, excerpt: source.excerpt(at: location))
    }

    /// Reviews the mapping for a model; returns the warnings.
    /// - Throws: `DocumentErrors` if the mapping is unusable: all errors, each with its location in the file.
    public func review(for model: ResolvedModel) throws(DocumentErrors) -> [DocumentError] {
        let problems = ImportMappingReview(mapping, model: model).problems
        let errors = problems.filter { !$0.isWarning }.map { error($0.description, at: $0.place) }
        guard errors.isEmpty else { throw DocumentErrors(errors) }
        return problems.map { error($0.description, at: $0.place) }
    }
}
