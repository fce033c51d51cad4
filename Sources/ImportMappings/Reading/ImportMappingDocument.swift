public import DocumentReading
public import ManagedObjectModels

/// An import mapping with the places in the file that it was read from.
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

    /// Where a part of the mapping stands, or else what it is a part of.
    public func location(of place: MappingPlace) -> SourceLocation {
        place.enclosing.lazy.compactMap { locations[$0] }.first ?? SourceLocation(file: source.name, line: 1, column: 1)
    }

    /// An error that points to a part of the mapping, with the line and a caret.
    public func error(_ sentence: String, at place: MappingPlace) -> DocumentError {
        let location = location(of: place)
        return DocumentError(.unacceptable, sentence, at: location, excerpt: source.excerpt(at: location))
    }

    /// Reviews the mapping for a model; returns the warnings.
    /// - Throws: `DocumentErrors`: what makes the mapping unusable, each error with its place in the file.
    public func review(for model: ResolvedModel) throws(DocumentErrors) -> [DocumentError] {
        let problems = ImportMappingReview(mapping, model: model).problems
        let errors = problems.filter { !$0.isWarning }.map { error($0.description, at: $0.place) }
        guard errors.isEmpty else { throw DocumentErrors(errors) }
        return problems.map { error($0.description, at: $0.place) }
    }
}
